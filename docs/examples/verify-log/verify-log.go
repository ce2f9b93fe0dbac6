// Verify-log reads a node's history of signals or theses, or what came of them, as a log (C2SP tlog-tiles), or the
// proofs of single entries (C2SP tlog-proof), and shares no line with the node: signatures are checked by golang.org/x/mod/sumdb/note, trees by
// golang.org/x/mod/sumdb/tlog, as the go command checks its modules.
//
//	verify-log -key KEY [-old FILE] [-records FILE] [-save FILE] LOG
//	verify-log -key KEY -records FILE PROOF.tlog-proof...
//
// LOG is https://node.example/track-record, or /track-record/theses, or a folder with copies of the log's files. KEY is
// what LOG/checkpoint?form=key gave once. -old is a checkpoint kept earlier: the log must go on from it. -save keeps
// this one. -records is what /track-record/evidence gave: each must be the one that the log holds.
//
// Below each of them, LOG/outcomes is the log of what came of the records, in the order in which it was stated, up to a
// day ago. Of -records it must hold every outcome, at its outcome_seq.
//
// On Debian: apt-get install golang-go golang-golang-x-mod-dev, then
// GO111MODULE=off GOPATH=/usr/share/gocode go build verify-log.go
//
// It ends with 0 when all holds, 1 when anything does not, 2 when nothing could be checked.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A checkpoint says how far a log has come.
type checkpoint struct {
	tlog.Tree
	text []byte
}

// openCheckpoint reads a checkpoint that the key signed, of the log that is called after the key.
func openCheckpoint(text []byte, key note.Verifier) (checkpoint, error) {
	opened, err := note.Open(text, note.VerifierList(key))
	if err != nil {
		return checkpoint{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != key.Name() {
		return checkpoint{}, fmt.Errorf("the checkpoint is not of the log %s", key.Name())
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != lines[1] {
		return checkpoint{}, errors.New("the checkpoint has no size")
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		return checkpoint{}, err
	}
	return checkpoint{tlog.Tree{N: size, Hash: root}, text}, nil
}

const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
	filesMax   = 10_000_000
)

// A logFiles reads the files of a log, each once.
type logFiles struct {
	place string
	known map[string][]byte
}

func (log *logFiles) read(name string) ([]byte, error) {
	if data, ok := log.known[name]; ok {
		return data, nil
	}
	data, err := readPlace(log.place, name)
	if err == nil {
		log.known[name] = data
	}
	return data, err
}

func readPlace(place, name string) ([]byte, error) {
	if !strings.HasPrefix(place, "https://") && !strings.HasPrefix(place, "http://") {
		return os.ReadFile(filepath.Join(place, filepath.FromSlash(name)))
	}
	client := http.Client{Timeout: time.Minute}
	answer, err := client.Get(strings.TrimSuffix(place, "/") + "/" + name)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", name, answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, filesMax))
}

// pathOf names a tile as tlog-tiles does: the go command's own logs also say how high their tiles are.
func pathOf(tile tlog.Tile) string {
	path := strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/", tileHeight))
	return "tile/" + strings.Replace(path, "data/", "entries/", 1)
}

func (log *logFiles) Height() int { return tileHeight }

func (log *logFiles) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		data, err := log.read(pathOf(tile))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func (log *logFiles) SaveTiles([]tlog.Tile, [][]byte) {}

// readEntries reads what stands in the log, each checked against its leaf under the checkpoint's root.
func (log *logFiles) readEntries(tree tlog.Tree) ([][]byte, error) {
	if tree.N == 0 {
		return nil, nil
	}
	indexes := make([]int64, tree.N)
	for n := range indexes {
		indexes[n] = tlog.StoredHashIndex(0, int64(n))
	}
	leaves, err := tlog.TileHashReader(tree, log).ReadHashes(indexes)
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for start := int64(0); start < tree.N; start += tileWidth {
		width := tree.N - start
		if width > tileWidth {
			width = tileWidth
		}
		bundle, err := log.read(pathOf(tlog.Tile{H: tileHeight, L: -1, N: start / tileWidth, W: int(width)}))
		if err != nil {
			return nil, err
		}
		for len(bundle) >= 2 && int64(len(entries)) < start+width {
			length := int(bundle[0])<<8 | int(bundle[1])
			if len(bundle) < 2+length {
				return nil, errors.New("a bundle of entries ends within one")
			}
			entries, bundle = append(entries, bundle[2:2+length]), bundle[2+length:]
		}
		if len(bundle) != 0 || int64(len(entries)) != start+width {
			return nil, errors.New("a bundle does not hold as many entries as it should")
		}
	}
	for n, entry := range entries {
		if tlog.RecordHash(entry) != leaves[n] {
			return nil, fmt.Errorf("entry %d is not the one that the log is signed for", n)
		}
	}
	return entries, nil
}

// canonical writes a value as RFC 8785 does. Records hold no numbers but whole ones.
func canonical(value interface{}) (string, error) {
	switch value := value.(type) {
	case map[string]interface{}:
		var names []string
		for name := range value {
			names = append(names, name)
		}
		sort.Strings(names)
		var members []string
		for _, name := range names {
			inner, err := canonical(value[name])
			if err != nil {
				return "", err
			}
			quoted, _ := canonical(name)
			members = append(members, quoted+":"+inner)
		}
		return "{" + strings.Join(members, ",") + "}", nil
	case []interface{}:
		var items []string
		for _, item := range value {
			inner, err := canonical(item)
			if err != nil {
				return "", err
			}
			items = append(items, inner)
		}
		return "[" + strings.Join(items, ",") + "]", nil
	case json.Number:
		number, err := value.Int64()
		if err != nil {
			return "", fmt.Errorf("a record holds the number %s", value)
		}
		return strconv.FormatInt(number, 10), nil
	case string:
		return quote(value), nil
	default:
		text, err := json.Marshal(value)
		return string(text), err
	}
}

// quote writes a text with as few escapes as RFC 8785 does, which are fewer than encoding/json writes.
func quote(text string) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	var out strings.Builder
	out.WriteByte('"')
	for _, letter := range text {
		if escaped, ok := short[letter]; ok {
			out.WriteString(escaped)
		} else if letter < ' ' {
			fmt.Fprintf(&out, `\u%04x`, letter)
		} else {
			out.WriteRune(letter)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// hashOf gives the hash of a record or an outcome, which must be the one beside it.
func hashOf(value map[string]interface{}, stated string) ([]byte, error) {
	text, err := canonical(value)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(text))
	if stated != hex.EncodeToString(hash[:]) {
		return nil, errors.New("it does not have its hash")
	}
	return hash[:], nil
}

// A row is a record with what came of it, as far as that is known.
type row struct {
	Record      map[string]interface{} `json:"record"`
	Hash        string                 `json:"record_hash"`
	Outcome     map[string]interface{} `json:"outcome"`
	OutcomeHash string                 `json:"outcome_hash"`
	OutcomeSeq  int64                  `json:"outcome_seq"`
}

// entryOf gives the place of a row in a log and the entry that must stand there, or place 0 for a row that the log is
// not of: a record that is open.
func entryOf(row row, of_outcomes bool) (int64, []byte, error) {
	number, _ := row.Record["seq"].(json.Number)
	seq, err := number.Int64()
	if err != nil || seq < 1 {
		return 0, nil, errors.New("a record has no number")
	}
	record, err := hashOf(row.Record, row.Hash)
	if err != nil {
		return 0, nil, fmt.Errorf("record %d: %v", seq, err)
	}
	if !of_outcomes {
		return seq, record, nil
	}
	if row.Outcome == nil {
		return 0, nil, nil
	}
	outcome, err := hashOf(row.Outcome, row.OutcomeHash)
	if err != nil {
		return 0, nil, fmt.Errorf("the outcome of record %d: %v", seq, err)
	}
	if row.Outcome["record_hash"] != row.Hash {
		return 0, nil, fmt.Errorf("the outcome beside record %d is of another one", seq)
	}
	if row.OutcomeSeq < 1 {
		return 0, nil, fmt.Errorf("the outcome of record %d has no place", seq)
	}
	return row.OutcomeSeq, append(record, outcome...), nil
}

// readRecords gives the entries that a file of records says a log holds, by their places.
func readRecords(file string, of_outcomes bool) (map[int64][]byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var evidence struct {
		Records []row `json:"records"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&evidence); err != nil {
		return nil, err
	}
	entries := map[int64][]byte{}
	for _, row := range evidence.Records {
		place, entry, err := entryOf(row, of_outcomes)
		if err != nil {
			return nil, err
		}
		if entries[place] != nil {
			return nil, fmt.Errorf("two have the place %d", place)
		}
		if entry != nil {
			entries[place] = entry
		}
	}
	if len(entries) == 0 {
		return nil, errors.New("there is nothing of this log in " + file)
	}
	return entries, nil
}

// checkLog checks everything that a log holds, and that it goes on from what it was.
func checkLog(log *logFiles, key note.Verifier, old_file, save_file string, records map[int64][]byte) error {
	text, err := log.read("checkpoint")
	if err != nil {
		return err
	}
	now, err := openCheckpoint(text, key)
	if err != nil {
		return err
	}
	entries, err := log.readEntries(now.Tree)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d entries lead to the signed root\n", key.Name(), now.N)
	for seq, entry := range records {
		if seq < 1 || seq > now.N || !bytes.Equal(entries[seq-1], entry) {
			return fmt.Errorf("what is at place %d of the log is another one, or not there", seq)
		}
	}
	if records != nil {
		fmt.Printf("%d %s are those in the log\n", len(records), kindOf(key))
	}
	if old_file != "" {
		if err := checkGrowth(log, key, old_file, now); err != nil {
			return err
		}
	}
	if save_file == "" {
		return nil
	}
	return os.WriteFile(save_file, now.text, 0o644)
}

func checkGrowth(log *logFiles, key note.Verifier, old_file string, now checkpoint) error {
	text, err := os.ReadFile(old_file)
	if err != nil {
		return err
	}
	old, err := openCheckpoint(text, key)
	if err != nil {
		return err
	}
	if old.N > now.N {
		return fmt.Errorf("the log had %d entries, and has %d", old.N, now.N)
	}
	if old.N > 0 {
		proof, err := tlog.ProveTree(now.N, old.N, tlog.TileHashReader(now.Tree, log))
		if err != nil {
			return err
		}
		if err := tlog.CheckTree(proof, now.N, now.Hash, old.N, old.Hash); err != nil {
			return fmt.Errorf("the log does not go on from the checkpoint kept earlier: %v", err)
		}
	}
	fmt.Printf("nothing of the first %d was rewritten\n", old.N)
	return nil
}

// kindOf says what the log of a key is of.
func kindOf(key note.Verifier) string {
	if isOfOutcomes(key) {
		return "outcomes"
	}
	return "records"
}

func isOfOutcomes(key note.Verifier) bool { return strings.HasSuffix(key.Name(), "/outcomes") }

// checkProof checks that an entry stands where a file says it does.
func checkProof(file string, key note.Verifier, records map[int64][]byte) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	end := bytes.Index(text, []byte("\n\n"))
	if end < 0 {
		return errors.New("it is no proof")
	}
	lines := strings.Split(string(text[:end]), "\n")
	if lines[0] != "c2sp.org/tlog-proof@v1" {
		return errors.New("it is no proof")
	}
	lines = lines[1:]
	if len(lines) > 0 && strings.HasPrefix(lines[0], "extra ") {
		if _, err := base64.StdEncoding.DecodeString(lines[0][len("extra "):]); err != nil {
			return err
		}
		lines = lines[1:]
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return errors.New("it names no place")
	}
	index, err := strconv.ParseInt(lines[0][len("index "):], 10, 64)
	if err != nil {
		return err
	}
	var proof tlog.RecordProof
	for _, line := range lines[1:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return err
		}
		proof = append(proof, hash)
	}
	at, err := openCheckpoint(text[end+2:], key)
	if err != nil {
		return err
	}
	entry, ok := records[index+1]
	if !ok {
		return fmt.Errorf("what is at place %d is not among the records given", index+1)
	}
	if index < 0 || index >= at.N {
		return fmt.Errorf("the log holds %d entries, and no place %d", at.N, index)
	}
	return tlog.CheckRecord(proof, at.N, at.Hash, index, tlog.RecordHash(entry))
}

func main() {
	key_text := flag.String("key", "", "what LOG/checkpoint?form=key gave, or a file with it")
	old_file := flag.String("old", "", "a checkpoint kept earlier")
	records_file := flag.String("records", "", "what /track-record/evidence gave")
	save_file := flag.String("save", "", "file to keep this checkpoint in")
	flag.Parse()
	stop := func(code int, err error) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(code)
	}
	if flag.NArg() == 0 || *key_text == "" {
		stop(2, errors.New("usage: verify-log -key KEY [-old FILE] [-records FILE] [-save FILE] LOG | PROOF.tlog-proof..."))
	}
	if text, err := os.ReadFile(*key_text); err == nil {
		*key_text = string(text)
	}
	key, err := note.NewVerifier(strings.TrimSpace(*key_text))
	if err != nil {
		stop(2, err)
	}
	var records map[int64][]byte
	if *records_file != "" {
		if records, err = readRecords(*records_file, isOfOutcomes(key)); err != nil {
			stop(1, err)
		}
	}
	if strings.HasSuffix(flag.Arg(0), ".tlog-proof") {
		for _, file := range flag.Args() {
			if err := checkProof(file, key, records); err != nil {
				stop(1, fmt.Errorf("REFUSED: %s: %v", file, err))
			}
		}
		fmt.Printf("%d %s stand in the log where their proofs say\n", flag.NArg(), kindOf(key))
		return
	}
	log := &logFiles{flag.Arg(0), map[string][]byte{}}
	if err := checkLog(log, key, *old_file, *save_file, records); err != nil {
		stop(1, fmt.Errorf("REFUSED: %v", err))
	}
}
