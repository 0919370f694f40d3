package main

// What upstream answers where Tandem answers otherwise, on purpose.
func faults() []Row {
	twoOwners := newRecorder("two nodes have one block, and one of them goes", "10.0.0.0/23", 24)
	twoOwners.occupy("10.0.0.0/24")
	twoOwners.occupy("10.0.0.0/24")
	twoOwners.release("10.0.0.0/24")
	twoOwners.allocate()

	overlap := newRecorder("a node inside another's CIDR goes", "10.0.0.0/22", 24)
	overlap.occupy("10.0.0.0/23")
	overlap.occupy("10.0.0.0/24")
	overlap.release("10.0.0.0/24")
	overlap.allocate()

	stranger := newRecorder("a block is released that the node never had", "10.0.0.0/23", 24)
	stranger.allocate()
	stranger.allocate()
	stranger.release("10.0.0.0/24")
	stranger.allocate()

	excluded := newRecorder("a node in the service range goes", "10.0.0.0/23", 24)
	excluded.exclude("10.0.0.0/24")
	excluded.occupy("10.0.0.0/24")
	excluded.release("10.0.0.0/24")
	excluded.allocate()

	wide := newRecorder("an IPv6 range has more than 65,536 blocks", "fd00::/32", 64)

	return []Row{twoOwners.row, overlap.row, stranger.row, excluded.row, wide.row}
}
