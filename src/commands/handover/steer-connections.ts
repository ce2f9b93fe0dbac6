import { dlopen, FFIType, ptr } from "bun:ffi";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../core/errors.ts";

/** From asm-generic/socket.h. */
const SOL_SOCKET = 1;
const SO_ATTACH_REUSEPORT_CBPF = 51;
/** From linux/bpf_common.h: return a constant. */
const BPF_RET_K = 0x06;
/** State of a listening socket in /proc/net/tcp. */
const LISTENING = "0A";
const LIBRARIES = ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`] as const;

/** Folder with the kernel's facts about this process. A test simulates other kernels in a folder. */
const PROC_SELF = "/proc/self";

/**
 * A table of sockets without its header; empty if the kernel lacks that family of addresses.
 * @throws Error when the table exists and cannot be read.
 */
function readSockets(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(1) : [];
}

/**
 * Inodes of all processes' sockets that listen on a port.
 * @throws Error without any table of sockets.
 */
function listInodes(port: number, proc_self: string): Set<string | undefined> {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const tables = ["net/tcp", "net/tcp6"].map((name) => join(proc_self, name));
  if (!tables.some((file) => existsSync(file))) throw new Error(`there is no ${tables.join(" and no ")}`);
  const rows = tables.flatMap(readSockets).map((line) => line.trim().split(/\s+/));
  const [address, state, inode] = [1, 3, 9];
  return new Set(
    rows.filter((row) => row[address]?.endsWith(ending) && row[state] === LISTENING).map((row) => row[inode]),
  );
}

/** How many sockets of this machine listen on a port; null if that cannot be read. */
export function countListeners(port: number, proc_self = PROC_SELF): number | null {
  try {
    return process.platform === "linux" ? listInodes(port, proc_self).size : null;
  } catch {
    return null;
  }
}

/** The target of one of this process's descriptors; null if it was closed meanwhile. */
function readDescriptor(name: string): string | null {
  try {
    return readlinkSync(join(PROC_SELF, "fd", name));
  } catch {
    return null;
  }
}

/** This process's descriptor of the socket that listens on a port. */
function findListener(port: number, proc_self: string): number | null {
  const inodes = listInodes(port, proc_self);
  const found = readdirSync(join(PROC_SELF, "fd")).find((name) => {
    const inode = /^socket:\[(\d+)\]$/.exec(readDescriptor(name) ?? "")?.[1];
    return inode !== undefined && inodes.has(inode);
  });
  return found === undefined ? null : Number(found);
}

/** The C library under one of its names; null if this system has another one. */
function openLibrary(name: string) {
  const { i32, u32 } = FFIType;
  try {
    return dlopen(name, { setsockopt: { args: [i32, i32, i32, FFIType.ptr, u32], returns: i32 } });
  } catch {
    return null;
  }
}

/** struct sock_fprog with one instruction that names the socket of a group by its position (socket(7)). */
function renderProgram(position: number) {
  const instruction = new DataView(new ArrayBuffer(8));
  instruction.setUint16(0, BPF_RET_K, true);
  instruction.setUint32(4, position, true);
  const program = new DataView(new ArrayBuffer(16));
  program.setUint16(0, 1, true);
  program.setBigUint64(8, BigInt(ptr(instruction.buffer)), true);
  // The program holds a pointer to the instruction, which must live until the kernel has read the program.
  return { program: new Uint8Array(program.buffer), instruction };
}

/**
 * Makes the kernel give every new connection of a shared port to the process that listened second. The queue of the
 * first process runs empty, so that it can close without losing a connection. Linux only. On other systems, or if the
 * kernel refuses, new connections go to either process, and one still in the queue of the first is lost when it closes.
 * @returns null on success, else the reason.
 */
export function steerToSecond(port: number, proc_self = PROC_SELF): string | null {
  if (process.platform !== "linux") return `${process.platform} cannot say who of two gets a connection`;
  try {
    const listener = findListener(port, proc_self);
    if (listener === null) return "the listening socket was not found";
    const { program, instruction } = renderProgram(1);
    const library = openLibrary(LIBRARIES[0]) ?? openLibrary(LIBRARIES[1]);
    if (library === null) return `neither ${LIBRARIES.join(" nor ")} could be loaded`;
    const { setsockopt } = library.symbols;
    const result = setsockopt(listener, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, ptr(program), program.byteLength);
    return result === 0 && instruction.byteLength > 0 ? null : "the kernel refused the socket's option";
  } catch (error) {
    return messageOf(error);
  }
}
