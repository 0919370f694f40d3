// Upstream-manager is upstream's cloud-controller-manager: its app, its flags, its controllers. Only the
// cloud is ours: instances that are read once from the file that --cloud-config names. How often that
// cloud was asked is counted in the file that --cloud-calls-file names.
package main

import (
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/util/wait"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/app"
	"k8s.io/cloud-provider/app/config"
	"k8s.io/cloud-provider/names"
	"k8s.io/cloud-provider/options"
	"k8s.io/component-base/cli"
	cliflag "k8s.io/component-base/cli/flag"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
)

func main() {
	managerOptions, err := options.NewCloudControllerManagerOptions()
	must(err)
	flags := cliflag.NamedFlagSets{}
	callsFile := flags.FlagSet("inventory cloud").String("cloud-calls-file", "",
		"Where the calls to the cloud are counted; nowhere by default.")
	routeLatency := flags.FlagSet("inventory cloud").Duration("cloud-route-latency", 0,
		"How long a call to the route table takes; by default the cloud has no route table.")
	// Whoever started it holds its standard input open; without them it must not go on.
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	cloudprovider.RegisterCloudProvider(providerName, func(config io.Reader) (cloudprovider.Interface, error) {
		return newInventoryCloud(config, *callsFile, *routeLatency)
	})
	command := app.NewCloudControllerManagerCommand(managerOptions, chosenCloud,
		app.DefaultInitFuncConstructors, names.CCMControllerAliases(), flags, wait.NeverStop)
	os.Exit(cli.Run(command))
}

// ChosenCloud is the cloud that --cloud-provider names, made of what --cloud-config holds.
func chosenCloud(config *config.CompletedConfig) cloudprovider.Interface {
	chosen := config.ComponentConfig.KubeCloudShared.CloudProvider
	cloud, err := cloudprovider.InitCloudProvider(chosen.Name, chosen.CloudConfigFile)
	must(err)
	return cloud
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
