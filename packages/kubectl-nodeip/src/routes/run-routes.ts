/** `kubectl nodeip routes`: compares the routes that nodes need with those in the tables of the cloud. */
import type { RoutesSummary, RouteView, TargetView } from '@tandem/core/view';
import type { NodeProjection } from '@tandem/kube/node';
import { exitOk } from '../exit-codes.ts';
import { type Live, type LiveCommand, noteOf, sayUntold } from '../live/run-live.ts';
import { printData } from '../print/print-data.ts';
import { age, type Column, printTable } from '../print/table.ts';
import { writeAll } from '../streams.ts';

export const routesCommand: LiveCommand = {
  name: 'routes',
  about:
    'Shows the routes that nodes need against those that the route tables of the cloud have, and what\nis planned about the difference.',
  exitCodes: '0 shown, 2 bad input, 4 the cluster could not be read.',
  run: runRoutes,
};

async function runRoutes(live: Live): Promise<number> {
  const { cluster, manager, streams, output } = live;
  const told = await manager.tell('routes');
  const isWide = output === 'wide';
  const conditions = told.kind === 'told' ? [] : (await cluster.nodes()).map(conditionOf);
  if (output === 'json' || output === 'yaml') {
    const data =
      told.kind === 'told'
        ? { manager: noteOf(manager, told), summary: told.summary, items: told.items }
        : { manager: noteOf(manager, told), summary: null, items: [], nodes: conditions };
    await writeAll(streams.output, await printData(data, output));
    return exitOk;
  }
  if (told.kind !== 'told') {
    sayUntold(live, told);
    await writeAll(streams.output, printTable(conditions, conditionColumns, { isWide }));
    return exitOk;
  }
  await writeAll(streams.output, printTable(told.items, routeColumns, { isWide }));
  await writeAll(streams.output, summaryText(told.summary, told.nowMs));
  return exitOk;
}

interface NodeCondition {
  readonly node: string;
  readonly podCIDRs: readonly string[];
  readonly networkUnavailable: string | null;
}

function conditionOf({ name, podCIDRs, networkUnavailable }: NodeProjection): NodeCondition {
  const { status, reason } = networkUnavailable ?? {};
  return {
    node: name,
    podCIDRs,
    networkUnavailable: status === undefined ? null : `${status} (${reason ?? ''})`,
  };
}

const conditionColumns: readonly Column<NodeCondition>[] = [
  { title: 'NODE', cell: ({ node }) => node },
  { title: 'POD-CIDRS', cell: ({ podCIDRs }) => podCIDRs.join(',') },
  { title: 'NETWORK-UNAVAILABLE', cell: ({ networkUnavailable }) => networkUnavailable ?? '' },
];

const routeColumns: readonly Column<RouteView>[] = [
  { title: 'TABLE', cell: ({ table }) => table },
  { title: 'DESTINATION', cell: ({ destination }) => destination },
  { title: 'NODE', cell: ({ node }) => node ?? '' },
  { title: 'STATE', cell: ({ state }) => state },
  { title: 'LEADS-TO', cell: ({ target }) => targetText(target) },
  { title: 'PLANNED', cell: ({ planned }) => planned ?? '' },
  { title: 'OURS', cell: ({ ours }) => String(ours), isWide: true },
  { title: 'REASON', cell: ({ reason }) => reason, isWide: true },
];

export function targetText(target: TargetView | null): string {
  switch (target?.kind) {
    case undefined:
      return '';
    case 'instance':
      return `${target.node ?? 'an instance of no node'}${target.ready ? '' : ' (does not forward)'}`;
    case 'address':
      return target.address;
    case 'blackhole':
      return 'nothing: its target is gone';
    case 'other':
      return 'something else than a node';
    case 'unknown':
      return 'unknown: the cloud does not say';
  }
}

function summaryText(summary: RoutesSummary, nowMs: number): string {
  const { asOf, failedLists, counts, findings, lacking, lackingCount } = summary;
  const listed =
    asOf === null
      ? 'The tables were not listed yet.'
      : `The tables were listed ${age(Date.parse(asOf), nowMs)} ago.`;
  const lines = [
    '',
    listed,
    ...(failedLists === 0
      ? []
      : [`The last ${failedLists} lists failed. The log of the manager says why.`]),
    ...(['IPv4', 'IPv6'] as const).map(
      (family) =>
        `${family}: ${counts[family].present} of ${counts[family].wanted} wanted routes are there.`,
    ),
    ...findings.map(({ code, message }) => `${code}: ${message}`),
    ...lacking.map(({ node, missing }) => `Node ${node} lacks: ${missing.join('; ')}.`),
    ...(lackingCount > lacking.length
      ? [`${lackingCount - lacking.length} more nodes lack routes.`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}
