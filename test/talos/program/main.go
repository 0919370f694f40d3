// Does what `talosctl gen config --config-patch @FILE` does with each patch, with Talos's own packages: it makes the
// configuration of a control plane and of a worker, applies the patches, validates the result as for a machine, and
// prints what the guide says that the patches set.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
	"github.com/siderolabs/talos/pkg/machinery/config/generate"
	"github.com/siderolabs/talos/pkg/machinery/config/machine"
	"github.com/siderolabs/talos/pkg/machinery/constants"
)

type settings struct {
	Machine                 string   `json:"machine"`
	IsCloudProviderExternal bool     `json:"isCloudProviderExternal"`
	PodSubnets              []string `json:"podSubnets"`
	ServiceSubnets          []string `json:"serviceSubnets"`
	NodeIPSubnets           []string `json:"nodeIPSubnets"`
}

// A physical machine: nothing of a container or of a cloud is assumed.
type metal struct{}

func (metal) String() string        { return "metal" }
func (metal) RequiresInstall() bool { return true }
func (metal) InContainer() bool     { return false }

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(patches []string) error {
	loaded, err := configpatcher.LoadPatches(patches)
	if err != nil {
		return err
	}
	input, err := generate.NewInput("my-cluster", "https://10.0.0.1:6443", constants.DefaultKubernetesVersion,
		generate.WithInstallDisk("/dev/sda"))
	if err != nil {
		return err
	}
	for _, kind := range []machine.Type{machine.TypeControlPlane, machine.TypeWorker} {
		made, err := input.Config(kind)
		if err != nil {
			return err
		}
		output, err := configpatcher.Apply(configpatcher.WithConfig(made), loaded)
		if err != nil {
			return err
		}
		patched, err := output.Config()
		if err != nil {
			return err
		}
		if _, err := patched.Validate(metal{}); err != nil {
			return err
		}
		if err := json.NewEncoder(os.Stdout).Encode(settingsOf(patched, kind)); err != nil {
			return err
		}
	}
	return nil
}

func settingsOf(patched config.Provider, kind machine.Type) settings {
	cluster := patched.Cluster()
	return settings{
		Machine:                 kind.String(),
		IsCloudProviderExternal: cluster.ExternalCloudProvider().Enabled(),
		PodSubnets:              cluster.Network().PodCIDRs(),
		ServiceSubnets:          cluster.Network().ServiceCIDRs(),
		NodeIPSubnets:           patched.Machine().Kubelet().NodeIP().ValidSubnets(),
	}
}
