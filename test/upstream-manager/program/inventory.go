package main

import (
	"encoding/json"
	"fmt"
	"io"

	v1 "k8s.io/api/core/v1"
)

const stateStopped = "stopped"

// Instance is an entry of the file, which is a JSON list of them.
type instance struct {
	Name         string           `json:"name"`
	ProviderID   string           `json:"providerID"`
	Addresses    []v1.NodeAddress `json:"addresses"`
	InstanceType string           `json:"instanceType"`
	Zone         string           `json:"zone"`
	Region       string           `json:"region"`
	State        string           `json:"state"`
}

type inventory struct {
	byName       map[string]*instance
	byProviderID map[string]*instance
}

func readInventory(config io.Reader) (inventory, error) {
	var list []instance
	if err := json.NewDecoder(config).Decode(&list); err != nil {
		return inventory{}, fmt.Errorf("--cloud-config is no list of instances: %w", err)
	}
	read := inventory{
		byName:       make(map[string]*instance, len(list)),
		byProviderID: make(map[string]*instance, len(list)),
	}
	for index := range list {
		entry := &list[index]
		read.byName[entry.Name] = entry
		read.byProviderID[entry.ProviderID] = entry
	}
	return read, nil
}

// Find looks for the instance of a node by its provider ID, and by its name as long as it has none.
func (i inventory) find(node *v1.Node) (*instance, bool) {
	if node.Spec.ProviderID != "" {
		entry, found := i.byProviderID[node.Spec.ProviderID]
		return entry, found
	}
	entry, found := i.byName[node.Name]
	return entry, found
}
