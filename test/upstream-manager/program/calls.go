package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// The kinds of calls, in the order of their counts in the file.
const (
	callMetadata = iota
	callExists
	callShutdown
	callListRoutes
	callCreateRoute
	callDeleteRoute
	callKinds
)

// Behind the counts come two moments, in milliseconds since 1970: when the first call to the route table began,
// and when the last that changed it ended. 0 is a moment that has not come.
const (
	momentFirstRouteCall = callKinds + iota
	momentLastRouteChange
	valueCount
)

// Calls counts in memory that is a file: a count costs no system call that would show in what is measured,
// and is there for a reader at once and after the process was killed. Each is an unsigned number of eight
// bytes in the machine's byte order.
type calls struct {
	values *[valueCount]uint64
}

func openCalls(path string) (*calls, error) {
	if path == "" {
		return &calls{values: new([valueCount]uint64)}, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--cloud-calls-file: %w", err)
	}
	defer file.Close()
	const size = valueCount * 8
	if err := file.Truncate(size); err != nil {
		return nil, err
	}
	memory, err := syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &calls{values: (*[valueCount]uint64)(unsafe.Pointer(&memory[0]))}, nil
}

func (c *calls) add(kind int) {
	atomic.AddUint64(&c.values[kind], 1)
}

func (c *calls) routeCallBegins() {
	atomic.CompareAndSwapUint64(&c.values[momentFirstRouteCall], 0, uint64(time.Now().UnixMilli()))
}

func (c *calls) routesChanged() {
	atomic.StoreUint64(&c.values[momentLastRouteChange], uint64(time.Now().UnixMilli()))
}
