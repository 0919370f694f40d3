// Record writes upstream's answers to generated questions into the folder that it is given, one JSON
// array a line. The questions follow from a fixed seed, so that recording again changes nothing but
// what upstream has changed:
//
//	cd test/vectors/upstream && go run . ..
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"

	v1 "k8s.io/api/core/v1"
	"k8s.io/cloud-provider/node/helpers"
	nodeutil "k8s.io/component-helpers/node/util"
	netutils "k8s.io/utils/net"
)

const seed = 3705

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . FOLDER")
		os.Exit(2)
	}
	folder := os.Args[1]
	record(filepath.Join(folder, "upstream-addresses.jsonl"), 6000, recordAddress)
	record(filepath.Join(folder, "upstream-requests.jsonl"), 5000, recordRequest)
	record(filepath.Join(folder, "upstream-kubelet.jsonl"), 2000, recordKubelet)
}

// Each file has its own stream of chance, so that a change to one leaves the others as they were.
func record(path string, rows int, row func(*rand.Rand) any) {
	file, err := os.Create(path)
	must(err)
	out := bufio.NewWriter(file)
	chance := rand.New(rand.NewSource(seed))
	for range rows {
		line, err := json.Marshal(row(chance))
		must(err)
		_, err = fmt.Fprintf(out, "%s\n", line)
		must(err)
	}
	must(out.Flush())
	must(file.Close())
}

// [text, canonical text or null]
func recordAddress(chance *rand.Rand) any {
	text := anyText(chance)
	if ip := netutils.ParseIPSloppy(text); ip != nil {
		return []any{text, ip.String()}
	}
	return []any{text, nil}
}

// [annotation, cloud, addresses or null], both lists as [type, address] pairs
func recordRequest(chance *rand.Rand) any {
	cloud := someCloud(chance)
	annotation := someRequest(chance, cloud)
	addresses, err := helpers.GetNodeAddressesFromNodeIP(annotation, cloud)
	if err != nil {
		return []any{annotation, pairs(cloud), nil}
	}
	return []any{annotation, pairs(cloud), pairs(addresses)}
}

// [--node-ip, accepted IPs in canonical text or null where kubelet does not start, ignored texts]
func recordKubelet(chance *rand.Rand) any {
	argument := someArgument(chance)
	ips, ignored, err := nodeutil.ParseNodeIPArgument(argument, "external")
	if ignored == nil {
		ignored = []string{}
	}
	if err != nil {
		return []any{argument, nil, ignored}
	}
	texts := []string{}
	for _, ip := range ips {
		texts = append(texts, ip.String())
	}
	return []any{argument, texts, ignored}
}

func pairs(addresses []v1.NodeAddress) [][2]string {
	list := [][2]string{}
	for _, address := range addresses {
		list = append(list, [2]string{string(address.Type), address.Address})
	}
	return list
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
