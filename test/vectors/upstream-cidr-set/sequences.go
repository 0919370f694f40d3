package main

import (
	"fmt"
	"math/rand"
	"net"
	"slices"
)

var shapes = []struct {
	cidr              string
	blockPrefixLength int
}{
	{"10.244.0.0/16", 24},
	{"10.0.0.0/22", 24},
	{"192.168.0.0/24", 28},
	{"10.0.0.0/24", 24},
	{"172.16.0.0/12", 31},
	{"fd00:10:244::/48", 64},
	{"fd00::/61", 64},
	// Blocks whose numbers lie on both sides of the 64th bit.
	{"fd00:0:0:10::/60", 66},
	{"2001:db8::/112", 116},
	{"2001:db8::/64", 64},
}

// A sequence as a careful caller would ask it, where upstream is right: a CIDR is released only by the one
// that has it, and only where nobody else has a part of it.
func someRow(chance *rand.Rand) Row {
	shape := shapes[chance.Intn(len(shapes))]
	r := newRecorder("", shape.cidr, shape.blockPrefixLength)
	excluded, held := []string{}, []string{}
	if chance.Intn(2) == 0 {
		cidr := someCIDR(chance, shape.cidr, shape.blockPrefixLength)
		r.exclude(cidr)
		excluded = append(excluded, cidr)
	}
	for range 10 + chance.Intn(40) {
		switch kind := chance.Intn(10); {
		case kind < 5:
			if block := r.allocate(); block != "" {
				held = append(held, block)
			}
		case kind < 7:
			cidr := someCIDR(chance, shape.cidr, shape.blockPrefixLength)
			if r.occupy(cidr) && !slices.Contains(held, cidr) {
				held = append(held, cidr)
			}
		case len(held) > 0:
			at := chance.Intn(len(held))
			others := slices.Concat(excluded, held[:at], held[at+1:])
			if !sharesBlock(held[at], others, shape.blockPrefixLength) {
				r.release(held[at])
				held = slices.Delete(held, at, at+1)
			}
		}
	}
	return r.row
}

// Inside the range or just beside it, from a little larger than the range to a little smaller than a block.
func someCIDR(chance *rand.Rand, within string, blockPrefixLength int) string {
	network := parse(within)
	rangeLength, bits := network.Mask.Size()
	ip := slices.Clone(network.IP)
	for bit := max(rangeLength-1, 0); bit < bits; bit++ {
		if chance.Intn(2) == 0 && (bit >= rangeLength || chance.Intn(4) == 0) {
			ip[bit/8] ^= 1 << (7 - bit%8)
		}
	}
	length := blockPrefixLength
	switch chance.Intn(4) {
	case 0:
		length = rangeLength - 1 + chance.Intn(blockPrefixLength-rangeLength+2)
	case 1:
		length = min(blockPrefixLength+chance.Intn(3), bits)
	}
	return (&net.IPNet{IP: ip.Mask(net.CIDRMask(length, bits)), Mask: net.CIDRMask(length, bits)}).String()
}

// Whether some block has addresses of the CIDR and of one of the others.
func sharesBlock(cidr string, others []string, blockPrefixLength int) bool {
	return slices.ContainsFunc(others, func(other string) bool {
		a, b := toBlocks(cidr, blockPrefixLength), toBlocks(other, blockPrefixLength)
		return a.Contains(b.IP) || b.Contains(a.IP)
	})
}

// The CIDR, widened to the block that holds it if it is smaller than one.
func toBlocks(cidr string, blockPrefixLength int) *net.IPNet {
	network := parse(cidr)
	length, _ := network.Mask.Size()
	return parse(fmt.Sprintf("%s/%d", network.IP, min(length, blockPrefixLength)))
}
