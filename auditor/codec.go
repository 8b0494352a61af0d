package auditor

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"math"
)

// The encoding of payloads: a byte of version, which also says whether the rest is deflated, and a stream of varints. Decoders bound
// what they allocate by what is left to read, and all numbers by what can be meant.
const (
	versionPlain    = 1
	versionDeflated = 2
)

// leastDeflated is the size from where deflating is worth its time.
const leastDeflated = 1 << 10

// maxPayload bounds what a payload may be inflated to, and mostInflated how many times its own size: what deflates better is written plain.
const (
	maxPayload   = 256 << 20
	mostInflated = 64
)

type encoder struct{ out []byte }

func (e *encoder) uint(x uint64) { e.out = binary.AppendUvarint(e.out, x) }
func (e *encoder) int(x int64)   { e.out = binary.AppendVarint(e.out, x) }
func (e *encoder) float(x float64) {
	e.out = binary.LittleEndian.AppendUint64(e.out, math.Float64bits(x))
}
func (e *encoder) fixed(b []byte)  { e.out = append(e.out, b...) }
func (e *encoder) string(s string) { e.uint(uint64(len(s))); e.out = append(e.out, s...) }
func (e *encoder) floats(x []float64) {
	e.uint(uint64(len(x)))
	for _, f := range x {
		e.float(f)
	}
}

func (e *encoder) bool(b bool) {
	if b {
		e.out = append(e.out, 1)
		return
	}
	e.out = append(e.out, 0)
}

// payload is the finished payload.
func (e *encoder) payload() []byte {
	if len(e.out) < leastDeflated {
		return append([]byte{versionPlain}, e.out...)
	}
	out := bytes.NewBuffer([]byte{versionDeflated})
	w, err := flate.NewWriter(out, flate.BestSpeed)
	if err == nil {
		_, err = w.Write(e.out)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("auditor: internal error: " + err.Error())
	}
	if len(e.out) > mostInflated*out.Len() {
		return append([]byte{versionPlain}, e.out...)
	}
	return out.Bytes()
}

// A decoder reads what an encoder wrote. After the first mistake everything is 0, and err says what it was.
type decoder struct {
	in  []byte
	err error
}

func newDecoder(payload []byte) *decoder {
	switch {
	case len(payload) > 0 && payload[0] == versionPlain:
		return &decoder{in: payload[1:]}
	case len(payload) > 0 && payload[0] == versionDeflated:
		most := min(maxPayload, mostInflated*len(payload))
		in, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(payload[1:])), int64(most)+1))
		if err != nil || len(in) > most {
			return &decoder{err: invalid("an event that is cut off or too large")}
		}
		return &decoder{in: in}
	}
	return &decoder{err: invalid("an event of an unknown version")}
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = invalid("an event with a bad %s", what)
	}
	d.in = nil
}

func (d *decoder) uint(most uint64, what string) uint64 {
	x, n := binary.Uvarint(d.in)
	if n <= 0 || x > most || n > 1 && d.in[n-1] == 0 {
		d.fail(what)
		return 0
	}
	d.in = d.in[n:]
	return x
}

func (d *decoder) int(what string) int64 {
	x, n := binary.Varint(d.in)
	if n <= 0 || n > 1 && d.in[n-1] == 0 {
		d.fail(what)
		return 0
	}
	d.in = d.in[n:]
	return x
}

// count reads how many things follow, each of at least so many bytes.
func (d *decoder) count(bytes int, what string) int { return d.few(bytes, math.MaxInt, what) }

// few is count of things of which there are at most so many.
func (d *decoder) few(bytes, most int, what string) int {
	return int(d.uint(uint64(min(len(d.in)/max(bytes, 1), most)), what))
}

func (d *decoder) take(n int, what string) []byte {
	if n > len(d.in) {
		d.fail(what)
		return make([]byte, n)
	}
	b := d.in[:n]
	d.in = d.in[n:]
	return b
}

func (d *decoder) float(what string) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(d.take(8, what)))
}

func (d *decoder) floats(what string) []float64 {
	x := make([]float64, d.count(8, what))
	for i := range x {
		x[i] = d.float(what)
	}
	return x
}

func (d *decoder) string(what string) string { return string(d.take(d.count(1, what), what)) }

func (d *decoder) bool(what string) bool {
	b := d.take(1, what)[0]
	if b > 1 {
		d.fail(what)
	}
	return b == 1
}

// end makes sure that nothing is left over.
func (d *decoder) end() error {
	if d.err == nil && len(d.in) > 0 {
		d.fail("end")
	}
	return d.err
}

// mark reads boxRule, if the event has it: those of earlier versions end before.
func (d *decoder) mark() bool {
	if len(d.in) == 0 {
		return false
	}
	if d.uint(boxRule, "rule") != boxRule {
		d.fail("rule")
	}
	return true
}
