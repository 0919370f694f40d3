/** `kubectl nodeip status`: shows every node with its request, its addresses, and what it waits for. */
import type { NodeProjection } from '@tandem/kube/node';
import { exitOk } from '../exit-codes.ts';
import { noWarnings, type ReadWarnings, readWarnings } from '../live/node-warnings.ts';
import { type Live, type LiveCommand, noteOf, sayUntold } from '../live/run-live.ts';
import { printData } from '../print/print-data.ts';
import { age, type Column, printTable } from '../print/table.ts';
import { writeAll } from '../streams.ts';
import { needsWarnings } from './judge-objects.ts';
import { type StatusFacts, type StatusRow, statusRows } from './status-rows.ts';

export const statusCommand: LiveCommand = {
  name: 'status',
  about:
    'Shows every node: what it asks for, the node IPs that it got, its stack, and since when it is\nrefused or waits, and why.',
  withoutManager:
    'Where it cannot be\nreached, the command shows what the objects of the cluster tell, and says so. RequestNotMet then marks\na node whose addresses are not what its annotation asks for.',
  exitCodes: '0 shown, 2 bad input, 4 the cluster could not be read.',
  run: runStatus,
};

async function runStatus(live: Live): Promise<number> {
  const { cluster, manager, streams, output } = live;
  const [nodes, told] = await Promise.all([cluster.nodes(), manager.tell('nodes')]);
  const views =
    told.kind === 'told' ? new Map(told.items.map((view) => [view.uid, view])) : undefined;
  const events = await readNeeded(live.cluster, nodes, views);
  if (events.kind === 'unread') streams.errors.write(`warning: ${events.problem}\n`);
  const warnings = events.kind === 'read' ? events.warnings : [];
  const rows = statusRows(nodes, { views, warnings });
  if (output === 'json' || output === 'yaml') {
    const data = { manager: noteOf(manager, told), items: rows };
    await writeAll(streams.output, await printData(data, output));
    return exitOk;
  }
  if (told.kind !== 'told') sayUntold(live, told);
  const nowMs = told.kind === 'told' ? told.nowMs : live.nowMs;
  await writeAll(streams.output, printTable(rows, columns(nowMs), { isWide: output === 'wide' }));
  return exitOk;
}

/** Reads events only if they are needed: there may be many, and with the manager's view they add nothing. */
async function readNeeded(
  cluster: Live['cluster'],
  nodes: readonly NodeProjection[],
  views: StatusFacts['views'],
): Promise<ReadWarnings> {
  const isNeeded = views === undefined && nodes.some((node) => needsWarnings(node));
  return isNeeded ? readWarnings(cluster) : noWarnings;
}

/** The maximum length of a request in the table, longer than any that can be satisfied. */
const askedMax = 64;

function columns(nowMs: number): readonly Column<StatusRow>[] {
  return [
    { title: 'NAME', cell: ({ node }) => node },
    { title: 'STATE', cell: ({ state }) => state },
    {
      title: 'ASKED',
      // An empty request is refused. A dash means that there is no request.
      cell: ({ asked }) => (asked?.value === '' ? '""' : (asked?.value ?? '')),
      lengthMax: askedMax,
    },
    { title: 'GOT', cell: ({ got }) => got.join(',') },
    { title: 'STACK', cell: ({ stack }) => stack ?? '' },
    { title: 'SINCE', cell: ({ since }) => (since === null ? '' : age(Date.parse(since), nowMs)) },
    { title: 'REASON', cell: ({ reason }) => reason ?? '' },
    { title: 'ASKED-BY', cell: ({ asked }) => asked?.source ?? '', isWide: true },
    { title: 'PROVIDER-ID', cell: ({ providerID }) => providerID ?? '', isWide: true },
    { title: 'POD-CIDRS', cell: ({ podCIDRs }) => podCIDRs.join(','), isWide: true },
    { title: 'CLOUD', cell: ({ cloud }) => cloud?.addresses.join(', ') ?? '', isWide: true },
    {
      title: 'CLOUD-AGE',
      cell: ({ cloud }) => (cloud === null ? '' : age(Date.parse(cloud.asOf), nowMs)),
      isWide: true,
    },
    { title: 'MESSAGE', cell: ({ message }) => message ?? '', isWide: true },
  ];
}
