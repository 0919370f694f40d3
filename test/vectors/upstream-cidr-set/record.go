// Record writes upstream's answers to generated sequences of allocate, occupy and release into the folder
// that it is given, one sequence a line. The sequences follow from a fixed seed, so that recording again
// changes nothing but what upstream has changed:
//
//	cd test/vectors/upstream-cidr-set && go run . ..
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
)

const seed = 18

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . FOLDER")
		os.Exit(2)
	}
	folder := os.Args[1]
	chance := rand.New(rand.NewSource(seed))
	rows := []Row{}
	for range 300 {
		rows = append(rows, someRow(chance))
	}
	write(filepath.Join(folder, "upstream-cidr-set.jsonl"), rows)
	write(filepath.Join(folder, "upstream-cidr-set-faults.jsonl"), faults())
}

func write(path string, rows []Row) {
	file, err := os.Create(path)
	must(err)
	out := bufio.NewWriter(file)
	for _, row := range rows {
		line, err := json.Marshal(row)
		must(err)
		_, err = fmt.Fprintf(out, "%s\n", line)
		must(err)
	}
	must(out.Flush())
	must(file.Close())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
