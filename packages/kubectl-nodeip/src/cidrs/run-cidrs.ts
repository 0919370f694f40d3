/** `kubectl nodeip cidrs`: shows the pools of pod CIDRs, the holders of blocks, and the blocks in doubt. */
import type { HolderView, PoolsSummary } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import { exitOk } from '../exit-codes.ts';
import { type Live, type LiveCommand, noteOf, sayUntold } from '../live/run-live.ts';
import { printData } from '../print/print-data.ts';
import { type Column, printTable } from '../print/table.ts';
import { writeAll } from '../streams.ts';

export const cidrsCommand: LiveCommand = {
  name: 'cidrs',
  about:
    'Shows the pools of pod CIDRs with their free blocks, and which node holds which blocks, waits for\nsome, or has some whose write is in doubt.',
  exitCodes: '0 shown, 2 bad input, 4 the cluster could not be read.',
  run: runCidrs,
};

async function runCidrs(live: Live): Promise<number> {
  const { cluster, manager, streams, output } = live;
  const told = await manager.tell('pools');
  const pools = told.kind === 'told' ? told.summary : null;
  const holders: readonly ShownHolder[] =
    told.kind === 'told' ? told.items : (await cluster.nodes()).map(shownHolder);
  if (output === 'json' || output === 'yaml') {
    const data = { manager: noteOf(manager, told), summary: pools, items: holders };
    await writeAll(streams.output, await printData(data, output));
    return exitOk;
  }
  if (told.kind !== 'told') sayUntold(live, told);
  const isWide = output === 'wide';
  if (pools !== null) await writeAll(streams.output, `${poolsText(pools, isWide)}\n`);
  await writeAll(streams.output, printTable(holders, holderColumns, { isWide }));
  return exitOk;
}

/** Has the state `none` without the manager's view: a node without podCIDRs may need none. */
type ShownHolder = Omit<HolderView, 'state'> & { readonly state: HolderView['state'] | 'none' };

/** Returns the row of a node without the manager's view. */
export function shownHolder({
  name,
  uid,
  podCIDRs,
}: Pick<NodeProjection, 'name' | 'uid' | 'podCIDRs'>): ShownHolder {
  const state = podCIDRs.length === 0 ? 'none' : 'bound';
  return { name, uid, pool: null, podCIDRs, state, problems: [] };
}

type Range = { readonly pool: string } & PoolsSummary['pools'][number]['ranges'][number];

function poolsText({ allocator, isAllocating, pools }: PoolsSummary, isWide: boolean): string {
  if (allocator === 'CloudAllocator') return 'The cloud assigns the blocks.\n';
  const ranges = pools.flatMap(({ name, ranges: all }) =>
    all.map((range) => ({ pool: name, ...range })),
  );
  const table = printTable(ranges, rangeColumns, { isWide });
  return isAllocating ? table : `${table}Nothing is allocated yet.\n`;
}

const rangeColumns: readonly Column<Range>[] = [
  { title: 'POOL', cell: ({ pool }) => pool },
  { title: 'RANGE', cell: ({ cidr }) => cidr },
  { title: 'NODE-MASK', cell: ({ nodeMaskSize }) => `/${nodeMaskSize}` },
  { title: 'CAPACITY', cell: ({ capacity }) => String(capacity) },
  { title: 'BOUND', cell: ({ bound }) => String(bound) },
  { title: 'IN-DOUBT', cell: ({ inDoubt }) => String(inDoubt) },
  { title: 'EXCLUDED', cell: ({ excluded }) => String(excluded) },
  { title: 'FREE', cell: ({ free }) => String(free) },
];

const holderColumns: readonly Column<ShownHolder>[] = [
  { title: 'NODE', cell: ({ name }) => name },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'POOL', cell: ({ pool }) => pool ?? '' },
  { title: 'POD-CIDRS', cell: ({ podCIDRs }) => podCIDRs.join(',') },
  { title: 'PROBLEMS', cell: ({ problems }) => problems.map(({ code }) => code).join(',') },
  { title: 'UID', cell: ({ uid }) => uid, isWide: true },
  {
    title: 'MESSAGES',
    cell: ({ problems }) => problems.map(({ message }) => message).join(' '),
    isWide: true,
  },
];
