package main

import (
	"net"

	"k8s.io/kubernetes/pkg/controller/nodeipam/ipam/cidrset"
)

// A Row is a range, the prefix length of its blocks, and what was asked of the set. Refused says that
// upstream does not make such a set.
type Row struct {
	Name              string `json:"name,omitempty"`
	Range             string `json:"range"`
	BlockPrefixLength int    `json:"blockPrefixLength"`
	Refused           bool   `json:"refused,omitempty"`
	Steps             []Step `json:"steps"`
}

// A Step is [action, CIDR, answer]: allocate answers with a CIDR, or "" when there is none left; for the
// others the CIDR is given, and the answer is "done", or "outside" where upstream has an error.
type Step [3]string

// A recorder asks upstream's set and notes the answers.
type recorder struct {
	set *cidrset.CidrSet
	row Row
}

func newRecorder(name, cidr string, blockPrefixLength int) *recorder {
	set, err := cidrset.NewCIDRSet(parse(cidr), blockPrefixLength)
	row := Row{Name: name, Range: cidr, BlockPrefixLength: blockPrefixLength, Steps: []Step{}, Refused: err != nil}
	return &recorder{set, row}
}

func (r *recorder) allocate() string {
	block, err := r.set.AllocateNext()
	answer := ""
	if err == nil {
		answer = block.String()
	}
	r.row.Steps = append(r.row.Steps, Step{"allocate", "", answer})
	return answer
}

// Upstream excludes service ranges by occupying them.
func (r *recorder) exclude(cidr string) { r.note("exclude", cidr, r.set.Occupy(parse(cidr))) }

func (r *recorder) occupy(cidr string) bool { return r.note("occupy", cidr, r.set.Occupy(parse(cidr))) }

func (r *recorder) release(cidr string) { r.note("release", cidr, r.set.Release(parse(cidr))) }

func (r *recorder) note(action, cidr string, err error) bool {
	answer := "done"
	if err != nil {
		answer = "outside"
	}
	r.row.Steps = append(r.row.Steps, Step{action, cidr, answer})
	return err == nil
}

func parse(text string) *net.IPNet {
	_, network, err := net.ParseCIDR(text)
	must(err)
	return network
}
