// Upstream-aws-manager is the aws-cloud-controller-manager of k8s.io/cloud-provider-aws, built from the public
// module. Its tagging controller, which is off by default, is left out.
package main

import (
	"errors"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/util/wait"
	cloudprovider "k8s.io/cloud-provider"
	_ "k8s.io/cloud-provider-aws/pkg/providers/v1"
	"k8s.io/cloud-provider/app"
	"k8s.io/cloud-provider/app/config"
	"k8s.io/cloud-provider/names"
	"k8s.io/cloud-provider/options"
	"k8s.io/component-base/cli"
	cliflag "k8s.io/component-base/cli/flag"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
)

func main() {
	managerOptions, err := options.NewCloudControllerManagerOptions()
	must(err)
	command := app.NewCloudControllerManagerCommand(managerOptions, chosenCloud,
		app.DefaultInitFuncConstructors, names.CCMControllerAliases(), cliflag.NamedFlagSets{}, wait.NeverStop)
	os.Exit(cli.Run(command))
}

// ChosenCloud is the cloud that --cloud-provider names. As in upstream's program, it must know its cluster.
func chosenCloud(config *config.CompletedConfig) cloudprovider.Interface {
	chosen := config.ComponentConfig.KubeCloudShared.CloudProvider
	cloud, err := cloudprovider.InitCloudProvider(chosen.Name, chosen.CloudConfigFile)
	must(err)
	if cloud == nil || !cloud.HasClusterID() {
		must(errors.New("there is no cloud, or no cluster id in its tags"))
	}
	return cloud
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
