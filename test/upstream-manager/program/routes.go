package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	cloudprovider "k8s.io/cloud-provider"
)

// RouteTable keeps routes in memory. Each call takes the same time, as a call to a cloud does, and any number
// of calls may be under way at once.
type routeTable struct {
	latency       time.Duration
	calls         *calls
	lock          sync.Mutex
	byDestination map[string]*cloudprovider.Route
}

func newRouteTable(latency time.Duration, calls *calls) *routeTable {
	return &routeTable{latency: latency, calls: calls, byDestination: map[string]*cloudprovider.Route{}}
}

func (t *routeTable) ListRoutes(ctx context.Context, _ string) ([]*cloudprovider.Route, error) {
	if err := t.take(ctx, callListRoutes); err != nil {
		return nil, err
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	routes := make([]*cloudprovider.Route, 0, len(t.byDestination))
	for _, route := range t.byDestination {
		routes = append(routes, route)
	}
	return routes, nil
}

func (t *routeTable) CreateRoute(ctx context.Context, _, _ string, route *cloudprovider.Route) error {
	if err := t.take(ctx, callCreateRoute); err != nil {
		return err
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	if _, taken := t.byDestination[route.DestinationCIDR]; taken {
		return fmt.Errorf("there is a route to %s", route.DestinationCIDR)
	}
	t.byDestination[route.DestinationCIDR] = &cloudprovider.Route{
		Name:            route.DestinationCIDR,
		TargetNode:      route.TargetNode,
		DestinationCIDR: route.DestinationCIDR,
	}
	return nil
}

func (t *routeTable) DeleteRoute(ctx context.Context, _ string, route *cloudprovider.Route) error {
	if err := t.take(ctx, callDeleteRoute); err != nil {
		return err
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	delete(t.byDestination, route.DestinationCIDR)
	return nil
}

// Take waits for as long as a call takes, and counts it when it has been made.
func (t *routeTable) take(ctx context.Context, kind int) error {
	t.calls.routeCallBegins()
	select {
	case <-time.After(t.latency):
		t.calls.add(kind)
		if kind != callListRoutes {
			t.calls.routesChanged()
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
