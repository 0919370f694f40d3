package main

import (
	"fmt"
	"math/rand"
	"net"
	"strings"

	v1 "k8s.io/api/core/v1"
	netutils "k8s.io/utils/net"
)

// A few addresses, so that requests and clouds often meet, in many spellings, so that they often
// meet only by value.
var plain = []string{
	"10.0.0.1", "10.0.0.2", "192.168.0.1", "1.2.3.4", "0.0.0.0", "127.0.0.1", "169.254.1.1", "255.255.255.255",
	"fd00::1", "fd00::2", "2001:db8::1", "abcd::1234", "::", "::1", "fe80::1", "ff02::1", "2001:db8:1:2:3:4:5:6", "64:ff9b::a00:1",
}

var types = []v1.NodeAddressType{
	v1.NodeInternalIP, v1.NodeInternalIP, v1.NodeInternalIP, v1.NodeExternalIP, v1.NodeExternalIP,
	v1.NodeHostName, v1.NodeInternalDNS, v1.NodeExternalDNS, "Novel",
}

var names = []string{"node-0", "ip-10-0-0-1.internal", "host.example", "", "10.0.0", "fd00::1/64", "[fd00::1]", "fe80::1%eth0"}

var nonsense = []string{
	"", " ", "IPv4", "IPv6", "ipv4", "10.0.0", "10.0.0.1.2", "10.0.0.256", "1.2.3.4/24", "1.2.3.4:80", "[::1]", "fe80::1%eth0", ":::", "::1::",
	"1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2:3:4:5:6:7:8", "12345::", "g::1", "::1.2.3", "::1.2.3.4.5", "1.2.3.4::", "1:2:3:4:5:6:7:1.2.3.4",
	"::ffff:1.2.3.256", "0x1.2.3.4", "1.2.3.-4", "1..2.3", ".1.2.3.4", "1.2.3.4.", ":1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:", "١.2.3.4", "1.2.3.4\x00",
}

func pick[T any](chance *rand.Rand, from []T) T {
	return from[chance.Intn(len(from))]
}

// The address in one of the spellings that stand for it.
func spell(chance *rand.Rand, text string) string {
	ip := netutils.ParseIPSloppy(text)
	if four := ip.To4(); four != nil {
		return spellIPv4(chance, four)
	}
	return spellIPv6(chance, text, ip)
}

func spellIPv4(chance *rand.Rand, ip net.IP) string {
	switch chance.Intn(8) {
	case 0:
		return fmt.Sprintf("%03d.%d.%02d.%d", ip[0], ip[1], ip[2], ip[3])
	case 1:
		return fmt.Sprintf("::ffff:%d.%d.%d.%d", ip[0], ip[1], ip[2], ip[3])
	case 2:
		return fmt.Sprintf("0:0::FFFF:%x:%x", int(ip[0])<<8|int(ip[1]), int(ip[2])<<8|int(ip[3]))
	case 3:
		return strings.Repeat("0", chance.Intn(20)) + ip.String()
	default:
		return ip.String()
	}
}

func spellIPv6(chance *rand.Rand, text string, ip net.IP) string {
	group := func(i int) int { return int(ip[2*i])<<8 | int(ip[2*i+1]) }
	switch chance.Intn(8) {
	case 0:
		return strings.ToUpper(text)
	case 1:
		return fmt.Sprintf("%x:%x:%x:%x:%x:%x:%x:%x", group(0), group(1), group(2), group(3), group(4), group(5), group(6), group(7))
	case 2:
		return fmt.Sprintf("%04x:%04X:%05x:%x:%x:%x:%x:%04x", group(0), group(1), group(2), group(3), group(4), group(5), group(6), group(7))
	case 3:
		return fmt.Sprintf("%x:%x:%x:%x:%x:%x:%d.%d.%d.%03d", group(0), group(1), group(2), group(3), group(4), group(5), ip[12], ip[13], ip[14], ip[15])
	default:
		return text
	}
}

// The text with one character taken away, doubled or replaced.
func mutate(chance *rand.Rand, text string) string {
	if text == "" {
		return pick(chance, []string{":", ".", "0", ","})
	}
	at := chance.Intn(len(text))
	switch chance.Intn(3) {
	case 0:
		return text[:at] + text[at+1:]
	case 1:
		return text[:at+1] + text[at:]
	default:
		return text[:at] + string("0123456789abcdefABCDEFg:.% -/,x"[chance.Intn(31)]) + text[at+1:]
	}
}

func anyText(chance *rand.Rand) string {
	switch chance.Intn(6) {
	case 0:
		return pick(chance, nonsense)
	case 1:
		return randomText(chance)
	case 2, 3:
		return strings.ToValidUTF8(mutate(chance, spell(chance, pick(chance, plain))), "?")
	default:
		return spell(chance, pick(chance, plain))
	}
}

func randomText(chance *rand.Rand) string {
	text := make([]byte, chance.Intn(24))
	for i := range text {
		text[i] = "0019afAF::::.."[chance.Intn(14)]
	}
	return string(text)
}

func someCloud(chance *rand.Rand) []v1.NodeAddress {
	cloud := []v1.NodeAddress{}
	for range 1 + chance.Intn(8) {
		entry := v1.NodeAddress{Type: pick(chance, types), Address: spell(chance, pick(chance, plain))}
		if chance.Intn(6) == 0 {
			entry.Address = pick(chance, names)
		}
		cloud = append(cloud, entry)
		if chance.Intn(12) == 0 {
			cloud = append(cloud, entry)
		}
	}
	return cloud
}

// Mostly addresses that the cloud has, respelt.
func someToken(chance *rand.Rand, cloud []v1.NodeAddress) string {
	if len(cloud) > 0 && chance.Intn(8) > 0 {
		if ip := netutils.ParseIPSloppy(pick(chance, cloud).Address); ip != nil {
			return spell(chance, ip.String())
		}
	}
	return spell(chance, pick(chance, plain))
}

// Literals only: a family word is something that upstream does not know, and Tandem does.
func someRequest(chance *rand.Rand, cloud []v1.NodeAddress) string {
	tokens := []string{someToken(chance, cloud)}
	for chance.Intn(3) == 0 && len(tokens) < 4 {
		tokens = append(tokens, someToken(chance, cloud))
	}
	request := strings.Join(tokens, ",")
	switch chance.Intn(12) {
	case 0:
		return strings.ToValidUTF8(mutate(chance, request), "?")
	case 1:
		return pick(chance, []string{"", ",", request + ",", "," + request, strings.ReplaceAll(request, ",", ", "), " " + request, request + "\n"})
	default:
		return request
	}
}

func someArgument(chance *rand.Rand) string {
	pieces := []string{}
	for range chance.Intn(4) {
		piece := spell(chance, pick(chance, plain))
		if chance.Intn(5) == 0 {
			piece = pick(chance, nonsense)
		}
		blank := pick(chance, []string{"", "", "", " ", "\t", "\u0085", "\u00a0", "\ufeff", "\u3000"})
		pieces = append(pieces, blank+piece+blank)
	}
	return strings.Join(pieces, ",")
}
