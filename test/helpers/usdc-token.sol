// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A dollar token with the part of FiatTokenV2_2 that payments use: EIP-3009, its events and its revert strings.
/// Everything that is not a balance is a constant, so that the code works at any address it is put at.
contract TestUSDC {
    string public constant name = "USD Coin";
    string public constant symbol = "USDC";
    string public constant version = "2";
    uint8 public constant decimals = 6;

    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    uint256 private constant S_MAX = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(bytes32 => bool)) public authorizationState;
    mapping(address => mapping(address => uint256)) public allowance;

    /// Anybody may mint: there is nothing to be had here.
    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(value <= allowance[from][msg.sender], "ERC20: transfer amount exceeds allowance");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this))
        );
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public {
        use(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce, signature);
    }

    /// Only who receives it may send it: nobody can use up an authorization in front of a contract.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external {
        require(to == msg.sender, "FiatTokenV2: caller must be the payee");
        use(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce, signature);
    }

    function use(
        bytes32 typehash,
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) private {
        require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
        require(!authorizationState[from][nonce], "FiatTokenV2: authorization is used or canceled");
        bytes32 content = keccak256(abi.encode(typehash, from, to, value, validAfter, validBefore, nonce));
        requireSigned(from, content, signature);
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        move(from, to, value);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        require(!authorizationState[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
        bytes32 content = keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce));
        requireSigned(authorizer, content, abi.encodePacked(r, s, v));
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function move(address from, address to, uint256 value) private {
        require(to != address(0), "ERC20: transfer to the zero address");
        require(value <= balanceOf[from], "ERC20: transfer amount exceeds balance");
        unchecked {
            balanceOf[from] -= value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }

    /// An account with code decides itself (ERC-1271); any other must have signed.
    function requireSigned(address signer, bytes32 content, bytes memory signature) private view {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), content));
        bool valid = signer.code.length == 0
            ? recover(digest, signature) == signer
            : isValidForContract(signer, digest, signature);
        require(valid, "FiatTokenV2: invalid signature");
    }

    function isValidForContract(address signer, bytes32 digest, bytes memory signature) private view returns (bool) {
        (bool success, bytes memory result) =
            signer.staticcall(abi.encodeWithSignature("isValidSignature(bytes32,bytes)", digest, signature));
        return success && result.length >= 32 && abi.decode(result, (bytes32)) == bytes32(bytes4(0x1626ba7e));
    }

    function recover(bytes32 digest, bytes memory signature) private pure returns (address) {
        require(signature.length == 65, "ECRecover: invalid signature length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        require(uint256(s) <= S_MAX, "ECRecover: invalid signature 's' value");
        require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0), "ECRecover: invalid signature");
        return signer;
    }
}

/// A contract wallet of one owner. A signature is one byte, which nobody reads, before the owner's 65.
contract TestWallet {
    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 66) return 0xffffffff;
        bytes32 r = bytes32(signature[1:33]);
        bytes32 s = bytes32(signature[33:65]);
        return ecrecover(digest, uint8(signature[65]), r, s) == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

contract TestWalletFactory {
    function create(address owner, bytes32 salt) external returns (address) {
        return address(new TestWallet{salt: salt}(owner));
    }

    function addressOf(address owner, bytes32 salt) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(TestWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code)))));
    }
}

/// The one function of Multicall3 that facilitators use.
contract TestMulticall {
    struct Call {
        address target;
        bytes callData;
    }
    struct Result {
        bool success;
        bytes returnData;
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory data) = calls[i].target.call(calls[i].callData);
            require(success || !requireSuccess, "Multicall3: call failed");
            results[i] = Result(success, data);
        }
    }
}

/// A token and the most of it that a signature allows, as Permit2 publishes it.
struct TokenPermissions {
    address token;
    uint256 amount;
}

struct PermitTransferFrom {
    TokenPermissions permitted;
    uint256 nonce;
    uint256 deadline;
}

struct SignatureTransferDetails {
    address to;
    uint256 requestedAmount;
}

/// The part of Permit2's published ISignatureTransfer that scheme `upto` uses. Nonces are bits, in no order.
contract TestPermit2 {
    error InvalidNonce();
    error SignatureExpired(uint256 signatureDeadline);
    error InvalidAmount(uint256 maxAmount);
    error InvalidSignatureLength();
    error InvalidSigner();
    error InvalidContractSignature();

    event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask);

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    bytes32 private constant TOKEN_PERMISSIONS_TYPEHASH = keccak256("TokenPermissions(address token,uint256 amount)");

    mapping(address => mapping(uint256 => uint256)) public nonceBitmap;

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("Permit2"), block.chainid, address(this)));
    }

    function invalidateUnorderedNonces(uint256 wordPos, uint256 mask) external {
        nonceBitmap[msg.sender][wordPos] |= mask;
        emit UnorderedNonceInvalidation(msg.sender, wordPos, mask);
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        if (block.timestamp > permit.deadline) revert SignatureExpired(permit.deadline);
        if (transferDetails.requestedAmount > permit.permitted.amount) revert InvalidAmount(permit.permitted.amount);
        useNonce(owner, permit.nonce);
        requireSigned(owner, digestOf(permit, witness, witnessTypeString), signature);
        TestUSDC(permit.permitted.token).transferFrom(owner, transferDetails.to, transferDetails.requestedAmount);
    }

    function useNonce(address owner, uint256 nonce) private {
        uint256 bit = 1 << (nonce & 0xff);
        if (nonceBitmap[owner][nonce >> 8] & bit != 0) revert InvalidNonce();
        nonceBitmap[owner][nonce >> 8] |= bit;
    }

    function digestOf(PermitTransferFrom calldata permit, bytes32 witness, string calldata witnessTypeString)
        private
        view
        returns (bytes32)
    {
        bytes32 typehash = keccak256(
            abi.encodePacked(
                "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,",
                witnessTypeString
            )
        );
        bytes32 permitted =
            keccak256(abi.encode(TOKEN_PERMISSIONS_TYPEHASH, permit.permitted.token, permit.permitted.amount));
        bytes32 content =
            keccak256(abi.encode(typehash, permitted, msg.sender, permit.nonce, permit.deadline, witness));
        return keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), content));
    }

    /// An account with code decides itself (ERC-1271); any other must have signed.
    function requireSigned(address owner, bytes32 digest, bytes calldata signature) private view {
        if (owner.code.length == 0) {
            if (signature.length != 65) revert InvalidSignatureLength();
            address signer =
                ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
            if (signer == address(0) || signer != owner) revert InvalidSigner();
        } else if (TestWallet(owner).isValidSignature(digest, signature) != bytes4(0x1626ba7e)) {
            revert InvalidContractSignature();
        }
    }
}

/// The published interface of x402UptoPermit2Proxy: the facilitator that the payer named takes at most what he signed.
contract TestUptoProxy {
    struct Witness {
        address to;
        address facilitator;
        uint256 validAfter;
    }

    error AmountExceedsPermitted();
    error InvalidDestination();
    error InvalidOwner();
    error PaymentTooEarly();
    error UnauthorizedFacilitator();

    event Settled();

    TestPermit2 public constant PERMIT2 = TestPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    bytes32 public constant WITNESS_TYPEHASH =
        keccak256("Witness(address to,address facilitator,uint256 validAfter)");
    string public constant WITNESS_TYPE_STRING =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)";

    function settle(
        PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        if (msg.sender != witness.facilitator) revert UnauthorizedFacilitator();
        if (amount > permit.permitted.amount) revert AmountExceedsPermitted();
        if (owner == address(0)) revert InvalidOwner();
        if (witness.to == address(0)) revert InvalidDestination();
        if (block.timestamp < witness.validAfter) revert PaymentTooEarly();
        bytes32 hash = keccak256(abi.encode(WITNESS_TYPEHASH, witness.to, witness.facilitator, witness.validAfter));
        SignatureTransferDetails memory details = SignatureTransferDetails(witness.to, amount);
        PERMIT2.permitWitnessTransferFrom(permit, details, owner, hash, WITNESS_TYPE_STRING, signature);
        emit Settled();
    }
}

/// Takes a deposit by EIP-3009, and hands it to the channel contract that asked for it.
contract TestDepositCollector {
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external {
        (uint256 validAfter, uint256 validBefore, uint256 salt, bytes memory signature) =
            abi.decode(data, (uint256, uint256, uint256, bytes));
        bytes32 nonce = keccak256(abi.encode(channelId, salt));
        TestUSDC(token).receiveWithAuthorization(payer, address(this), amount, validAfter, validBefore, nonce, signature);
        TestUSDC(token).transfer(msg.sender, amount);
    }
}

/// Payment channels by the published interface of x402BatchSettlement. Everything that is not money is a constant, so that
/// the code works at any address it is put at.
contract TestChannels {
    struct ChannelConfig {
        address payer;
        address payerAuthorizer;
        address receiver;
        address receiverAuthorizer;
        address token;
        uint40 withdrawDelay;
        bytes32 salt;
    }
    struct Voucher {
        ChannelConfig channel;
        uint128 maxClaimableAmount;
    }
    struct VoucherClaim {
        Voucher voucher;
        bytes signature;
        uint128 totalClaimed;
    }
    struct Channel {
        uint128 balance;
        uint128 totalClaimed;
    }
    struct Withdrawal {
        uint128 amount;
        uint40 initiatedAt;
    }
    struct Earned {
        uint128 totalClaimed;
        uint128 totalSettled;
    }

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 public constant CHANNEL_CONFIG_TYPEHASH = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 private constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 private constant ENTRY_TYPEHASH =
        keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)");
    bytes32 private constant BATCH_TYPEHASH = keccak256(
        "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );

    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);

    mapping(bytes32 => Channel) public channels;
    mapping(bytes32 => Withdrawal) public pendingWithdrawals;
    mapping(bytes32 => uint256) public refundNonce;
    mapping(address => mapping(address => Earned)) public receivers;

    function multicall(bytes[] calldata data) external returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; i++) {
            (bool success, bytes memory result) = address(this).delegatecall(data[i]);
            require(success, "multicall: call failed");
            results[i] = result;
        }
    }

    function deposit(ChannelConfig calldata config, uint128 amount, address collector, bytes calldata data) external {
        require(amount > 0 && config.receiverAuthorizer != address(0), "InvalidChannel");
        require(config.withdrawDelay >= 15 minutes && config.withdrawDelay <= 30 days, "WithdrawDelayOutOfRange");
        bytes32 id = getChannelId(config);
        uint256 before = TestUSDC(config.token).balanceOf(address(this));
        TestDepositCollector(collector).collect(config.payer, config.token, amount, id, data);
        require(TestUSDC(config.token).balanceOf(address(this)) == before + amount, "DepositCollectionFailed");
        channels[id].balance += amount;
    }

    function claimWithSignature(VoucherClaim[] calldata claims, bytes calldata signature) external {
        require(claims.length > 0, "EmptyBatch");
        address authorizer = claims[0].voucher.channel.receiverAuthorizer;
        requireSigned(authorizer, getClaimBatchHash(claims), signature);
        for (uint256 i = 0; i < claims.length; i++) {
            require(claims[i].voucher.channel.receiverAuthorizer == authorizer, "MixedAuthorizers");
            claimOne(claims[i]);
        }
    }

    function claimOne(VoucherClaim calldata claim) private {
        ChannelConfig calldata config = claim.voucher.channel;
        bytes32 id = getChannelId(config);
        Channel storage channel = channels[id];
        require(claim.totalClaimed <= claim.voucher.maxClaimableAmount, "ClaimExceedsCeiling");
        if (claim.totalClaimed <= channel.totalClaimed) return;
        require(claim.totalClaimed <= channel.balance, "ClaimExceedsBalance");
        address signer = config.payerAuthorizer == address(0) ? config.payer : config.payerAuthorizer;
        requireSigned(signer, keccak256(abi.encode(VOUCHER_TYPEHASH, id, claim.voucher.maxClaimableAmount)), claim.signature);
        receivers[config.receiver][config.token].totalClaimed += claim.totalClaimed - channel.totalClaimed;
        channel.totalClaimed = claim.totalClaimed;
    }

    function settle(address receiver, address token) external {
        Earned storage earned = receivers[receiver][token];
        uint128 amount = earned.totalClaimed - earned.totalSettled;
        if (amount == 0) return;
        earned.totalSettled = earned.totalClaimed;
        TestUSDC(token).transfer(receiver, amount);
        emit Settled(receiver, token, msg.sender, amount);
    }

    function refundWithSignature(ChannelConfig calldata config, uint128 amount, uint256 nonce, bytes calldata signature)
        external
    {
        bytes32 id = getChannelId(config);
        require(amount > 0 && nonce == refundNonce[id], "InvalidRefundNonce");
        requireSigned(config.receiverAuthorizer, keccak256(abi.encode(REFUND_TYPEHASH, id, nonce, amount)), signature);
        refundNonce[id] = nonce + 1;
        uint128 given = least(amount, channels[id].balance - channels[id].totalClaimed);
        if (given == 0) return;
        channels[id].balance -= given;
        Withdrawal storage pending = pendingWithdrawals[id];
        if (pending.amount > given) pending.amount -= given;
        else delete pendingWithdrawals[id];
        TestUSDC(config.token).transfer(config.payer, given);
    }

    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external {
        bytes32 id = getChannelId(config);
        require(msg.sender == config.payer || msg.sender == config.payerAuthorizer, "NotPayer");
        require(amount > 0 && amount <= channels[id].balance - channels[id].totalClaimed, "WithdrawExceedsAvailable");
        require(pendingWithdrawals[id].initiatedAt == 0, "WithdrawalAlreadyPending");
        pendingWithdrawals[id] = Withdrawal(amount, uint40(block.timestamp));
    }

    function finalizeWithdraw(ChannelConfig calldata config) external {
        bytes32 id = getChannelId(config);
        Withdrawal memory pending = pendingWithdrawals[id];
        require(msg.sender == config.payer || msg.sender == config.payerAuthorizer, "NotPayer");
        require(pending.initiatedAt > 0, "WithdrawalNotPending");
        require(block.timestamp >= pending.initiatedAt + config.withdrawDelay, "WithdrawDelayNotElapsed");
        delete pendingWithdrawals[id];
        uint128 given = least(pending.amount, channels[id].balance - channels[id].totalClaimed);
        channels[id].balance -= given;
        TestUSDC(config.token).transfer(config.payer, given);
    }

    function getChannelId(ChannelConfig calldata config) public view returns (bytes32) {
        return digestOf(keccak256(abi.encode(CHANNEL_CONFIG_TYPEHASH, config)));
    }

    function getClaimBatchHash(VoucherClaim[] calldata claims) private view returns (bytes32) {
        bytes32[] memory entries = new bytes32[](claims.length);
        for (uint256 i = 0; i < claims.length; i++) {
            Voucher calldata voucher = claims[i].voucher;
            bytes32 id = getChannelId(voucher.channel);
            entries[i] = keccak256(abi.encode(ENTRY_TYPEHASH, id, voucher.maxClaimableAmount, claims[i].totalClaimed));
        }
        return keccak256(abi.encode(BATCH_TYPEHASH, keccak256(abi.encodePacked(entries))));
    }

    function digestOf(bytes32 content) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("x402 Batch Settlement"), keccak256("1"), block.chainid, address(this))
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, content));
    }

    function requireSigned(address signer, bytes32 content, bytes calldata signature) private view {
        bytes32 digest = digestOf(content);
        if (signer.code.length > 0) {
            require(TestWallet(signer).isValidSignature(digest, signature) == bytes4(0x1626ba7e), "InvalidSignature");
            return;
        }
        require(signature.length == 65, "InvalidSignature");
        address recovered =
            ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        require(recovered != address(0) && recovered == signer, "InvalidSignature");
    }

    function least(uint128 a, uint128 b) private pure returns (uint128) {
        return a < b ? a : b;
    }
}
