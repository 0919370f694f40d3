// Elector campaigns for a Lease with client-go's own leader election, as upstream's managers do, and
// says on standard output, one JSON object a line, when it began and stopped to lead and whom it saw
// leading. SIGTERM ends it; with -release it then gives the Lease back, which upstream's managers do not.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordinationv1 "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "file with the server and the credentials")
	namespace := flag.String("namespace", "kube-system", "namespace of the Lease")
	name := flag.String("name", "cloud-controller-manager", "name of the Lease")
	identity := flag.String("identity", "", "what to write as the holder")
	release := flag.Bool("release", false, "give the Lease back at the end")
	// Upstream's defaults.
	leaseDuration := flag.Duration("lease-duration", 15*time.Second, "how long a record counts")
	renewDeadline := flag.Duration("renew-deadline", 10*time.Second, "how long to try to renew")
	retryPeriod := flag.Duration("retry-period", 2*time.Second, "time between tries")
	flag.Parse()

	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	must(err)
	client, err := coordinationv1.NewForConfig(config)
	must(err)
	// Whoever started it holds its standard input open; without them it must not go on.
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	stopped, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	leaderelection.RunOrDie(stopped, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: *namespace, Name: *name},
			Client:     client,
			LockConfig: resourcelock.ResourceLockConfig{Identity: *identity},
		},
		LeaseDuration:   *leaseDuration,
		RenewDeadline:   *renewDeadline,
		RetryPeriod:     *retryPeriod,
		ReleaseOnCancel: *release,
		Name:            *name,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { say("leading", *identity) },
			OnStoppedLeading: func() { say("stopped", *identity) },
			OnNewLeader:      func(leader string) { say("leader", leader) },
		},
	})
}

// Say writes what happened, when (milliseconds since the epoch), and to whom.
func say(event, identity string) {
	line, err := json.Marshal(map[string]any{
		"event": event, "identity": identity, "atMs": time.Now().UnixMilli(),
	})
	must(err)
	fmt.Println(string(line))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
