package pgvalue

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tacit/rewrite/internal/scan"
	"tacit/rewrite/pgerror"
)

// DecodeParam reads a parameter of a Bind message; format is 0 for text and 1 for binary, and data is nil for NULL. Of types that no
// condition on a protected table compares with, the value is not looked at and left empty: no count query uses it.
func DecodeParam(oid uint32, format int16, data []byte) (Value, *pgerror.Refusal) {
	if data == nil {
		return Value{Null: true}, nil
	}
	_, scalar := BuiltinType(oid)
	element, array := ElementType(oid)
	if !scalar && !array && oid != Unknown {
		return Value{}, nil
	}
	switch {
	case format == 0:
		return decodeText(data)
	case format != 1:
		return Value{}, &pgerror.Refusal{Code: "22023", Message: fmt.Sprintf("unsupported format code: %d", format)}
	case array:
		return decodeArray(element.OID, data)
	}
	text, ok := decodeBinary(oid, data)
	if !ok {
		return Value{}, &pgerror.Refusal{Code: pgerror.CodeInvalidBinary, Message: "incorrect binary data format in bind parameter"}
	}
	return decodeText([]byte(text))
}

func decodeText(data []byte) (Value, *pgerror.Refusal) {
	text := string(data)
	if at := scan.InvalidUTF8(text); at >= 0 {
		return Value{}, &pgerror.Refusal{Code: pgerror.CodeInvalidEncoding, Message: fmt.Sprintf(`invalid byte sequence for encoding "UTF8": 0x%02x`, text[at])}
	}
	return Value{Text: text}, nil
}

// decodeBinary turns the binary form of a value (the send function's) into text.
func decodeBinary(oid OID, data []byte) (text string, ok bool) {
	switch oid {
	case Text, Varchar, Bpchar, Unknown:
		return string(data), true
	case Bool:
		if len(data) != 1 {
			return "", false
		}
		return strconv.FormatBool(data[0] != 0), true
	case Numeric:
		return decodeNumeric(data)
	case UUID:
		return hex.EncodeToString(data), len(data) == 16
	}
	var bits uint64
	switch len(data) {
	case 2:
		bits = uint64(int64(int16(binary.BigEndian.Uint16(data))))
	case 4:
		bits = uint64(int64(int32(binary.BigEndian.Uint32(data))))
	case 8:
		bits = binary.BigEndian.Uint64(data)
	}
	widths := map[OID]int{Int2: 2, Int4: 4, Int8: 8, Float4: 4, Float8: 8, Date: 4, Timestamp: 8, Timestamptz: 8}
	if len(data) != widths[oid] {
		return "", false
	}
	switch oid {
	case Float4:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'g', -1, 32), true
	case Float8:
		return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64), true
	case Date, Timestamp, Timestamptz:
		return decodeTime(oid, int64(bits)), true
	}
	return strconv.FormatInt(int64(bits), 10), true
}

// decodeTime prints days or microseconds since 2000. Years that this package does not read come out as text that it refuses.
func decodeTime(oid OID, n int64) string {
	least, greatest := int64(math.MinInt64), int64(math.MaxInt64)
	scale := int64(1)
	if oid == Date {
		least, greatest = math.MinInt32, math.MaxInt32
		scale = Day.Microseconds()
	}
	switch n {
	case least:
		return "-infinity"
	case greatest:
		return "infinity"
	}
	const bound = 10_000 * 366 * 86400 * 1_000_000 // ten thousand years
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	if n > bound/scale || n < -bound/scale {
		return "out of range"
	}
	return TimeDatum(oid, time.UnixMicro(epoch+n*scale)).Text
}

// decodeNumeric reads base-10000 digits: their number, the weight of the first, the sign, the scale, the digits.
func decodeNumeric(data []byte) (text string, ok bool) {
	if len(data) < 8 {
		return "", false
	}
	field := func(i int) uint16 { return binary.BigEndian.Uint16(data[2*i:]) }
	count, weight, sign := int(field(0)), int(int16(field(1))), field(2)
	if len(data) != 8+2*count {
		return "", false
	}
	var b strings.Builder
	switch sign {
	case 0x0000:
	case 0x4000:
		b.WriteByte('-')
	case 0xC000:
		return "NaN", true
	case 0xD000:
		return "Infinity", true
	case 0xF000:
		return "-Infinity", true
	default:
		return "", false
	}
	b.WriteByte('0')
	for i := range count {
		digit := field(4 + i)
		if digit > 9999 {
			return "", false
		}
		fmt.Fprintf(&b, "%04d", digit)
	}
	fmt.Fprintf(&b, "e%d", 4*(weight+1-count))
	return b.String(), true
}

// decodeArray reads a one-dimensional array: the number of dimensions, whether there are NULLs, the element type, the
// length and the lower bound of the dimension, the elements.
func decodeArray(element OID, data []byte) (Value, *pgerror.Refusal) {
	malformed := &pgerror.Refusal{Code: pgerror.CodeInvalidBinary, Message: "incorrect binary data format in bind parameter"}
	if len(data) < 12 {
		return Value{}, malformed
	}
	word := func(at int) uint32 { return binary.BigEndian.Uint32(data[at:]) }
	dimensions, declared := word(0), word(8)
	if declared != element {
		return Value{}, &pgerror.Refusal{Code: "42804", Message: "wrong element type"}
	}
	if dimensions == 0 && len(data) == 12 {
		return Value{Text: "{}"}, nil
	}
	if dimensions != 1 || len(data) < 20 {
		return Value{}, malformed
	}
	count, rest := int64(word(12)), data[20:]
	if count > int64(len(rest)/4) { // each element has a length
		return Value{}, malformed
	}
	values := make([]Value, 0, count)
	for range count {
		if len(rest) < 4 {
			return Value{}, malformed
		}
		size := int32(binary.BigEndian.Uint32(rest))
		rest = rest[4:]
		if size == -1 {
			values = append(values, Value{Null: true})
			continue
		}
		if size < 0 || int(size) > len(rest) {
			return Value{}, malformed
		}
		text, ok := decodeBinary(element, rest[:size])
		if !ok {
			return Value{}, malformed
		}
		values = append(values, Value{Text: text})
		rest = rest[size:]
	}
	if len(rest) > 0 {
		return Value{}, malformed
	}
	return decodeText([]byte(ArrayOfValues(values)))
}
