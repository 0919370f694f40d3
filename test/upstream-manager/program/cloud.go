package main

import (
	"context"
	"errors"
	"io"
	"time"

	v1 "k8s.io/api/core/v1"
	cloudprovider "k8s.io/cloud-provider"
)

const providerName = "inventory"

// InventoryCloud offers instances, a route table where it is asked for, and no load balancers.
type inventoryCloud struct {
	instances instances
	routes    *routeTable
}

// NewInventoryCloud gives the cloud a route table that takes routeLatency for each call; 0 is a cloud without one.
func newInventoryCloud(config io.Reader, callsFile string, routeLatency time.Duration) (cloudprovider.Interface, error) {
	if config == nil {
		return nil, errors.New("--cloud-config must name the file with the instances")
	}
	inventory, err := readInventory(config)
	if err != nil {
		return nil, err
	}
	calls, err := openCalls(callsFile)
	if err != nil {
		return nil, err
	}
	cloud := &inventoryCloud{instances: instances{inventory: inventory, calls: calls}}
	if routeLatency > 0 {
		cloud.routes = newRouteTable(routeLatency, calls)
	}
	return cloud, nil
}

func (c *inventoryCloud) Initialize(cloudprovider.ControllerClientBuilder, <-chan struct{}) {}
func (c *inventoryCloud) ProviderName() string                                              { return providerName }
func (c *inventoryCloud) HasClusterID() bool                                                { return true }

func (c *inventoryCloud) InstancesV2() (cloudprovider.InstancesV2, bool)   { return &c.instances, true }
func (c *inventoryCloud) Instances() (cloudprovider.Instances, bool)       { return nil, false }
func (c *inventoryCloud) LoadBalancer() (cloudprovider.LoadBalancer, bool) { return nil, false }
func (c *inventoryCloud) Clusters() (cloudprovider.Clusters, bool)         { return nil, false }
func (c *inventoryCloud) Routes() (cloudprovider.Routes, bool)             { return c.routes, c.routes != nil }
func (c *inventoryCloud) Zones() (cloudprovider.Zones, bool)               { return nil, false }

// Instances answers at once, from memory: a cloud that costs nothing but the count.
type instances struct {
	inventory inventory
	calls     *calls
}

func (i *instances) InstanceExists(_ context.Context, node *v1.Node) (bool, error) {
	i.calls.add(callExists)
	_, found := i.inventory.find(node)
	return found, nil
}

func (i *instances) InstanceShutdown(_ context.Context, node *v1.Node) (bool, error) {
	i.calls.add(callShutdown)
	instance, found := i.inventory.find(node)
	if !found {
		return false, cloudprovider.InstanceNotFound
	}
	return instance.State == stateStopped, nil
}

func (i *instances) InstanceMetadata(_ context.Context, node *v1.Node) (*cloudprovider.InstanceMetadata, error) {
	i.calls.add(callMetadata)
	instance, found := i.inventory.find(node)
	if !found {
		return nil, cloudprovider.InstanceNotFound
	}
	// Upstream appends to the addresses, so that each answer needs a list of its own.
	addresses := make([]v1.NodeAddress, len(instance.Addresses))
	copy(addresses, instance.Addresses)
	return &cloudprovider.InstanceMetadata{
		ProviderID:    instance.ProviderID,
		InstanceType:  instance.InstanceType,
		NodeAddresses: addresses,
		Zone:          instance.Zone,
		Region:        instance.Region,
	}, nil
}
