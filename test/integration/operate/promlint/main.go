// Holds metrics in the text format of Prometheus against its rules, as `promtool check metrics` does:
// reads them from standard input and writes what it finds, one finding a line.
package main

import (
	"fmt"
	"os"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

func main() {
	problems, err := promlint.New(os.Stdin).Lint()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, problem := range problems {
		fmt.Printf("%s %s\n", problem.Metric, problem.Text)
	}
}
