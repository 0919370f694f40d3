/**
 * `kubectl nodeip compare`: shows what Tandem would change on a cluster with another manager, from the plans of a Tandem
 * that runs beside it with `--dry-run`. For a Tandem that leads, it shows the next writes.
 */
import type { HolderView, NodeView, RouteView } from '@tandem/core/view';
import { exitOk, exitUnread } from '../exit-codes.ts';
import { type Live, type LiveCommand, noteOf, unreachedLine } from '../live/run-live.ts';
import { printData } from '../print/print-data.ts';
import { type Column, printTable } from '../print/table.ts';
import { writeAll } from '../streams.ts';

export const compareCommand: LiveCommand = {
  name: 'compare',
  about:
    'Shows what Tandem would change on a cluster that another manager runs. It reads the plans of a Tandem\nmanager that runs with --dry-run beside the other one; give its secure port with --manager.',
  exitCodes: '0 shown, 2 bad input, 4 the cluster or the manager could not be read.',
  withoutManager:
    'Where it cannot be\nreached, there is nothing to compare, and the command ends with an error.',
  run: runCompare,
};

/** A planned change. */
export interface Change {
  /** `node`, `podCIDRs` or `route`. */
  readonly what: 'node' | 'podCIDRs' | 'route';
  readonly object: string;
  readonly change: string;
  readonly why: string;
}

async function runCompare(live: Live): Promise<number> {
  const { manager, streams, output } = live;
  const [nodes, pools, routes] = await Promise.all([
    manager.tell('nodes'),
    manager.tell('pools'),
    manager.tell('routes'),
  ]);
  if (nodes.kind !== 'told') {
    // A user who passed --manager has started one, and the problem says what to do.
    const advice = manager.via.startsWith('https:')
      ? ''
      : ' Start cloud-controller-manager with --dry-run and --secure-port=10258 beside the other manager, and pass --manager https://HOST:10258.';
    streams.errors.write(`error: ${unreachedLine(manager, nodes.problem)}${advice}\n`);
    return exitUnread;
  }
  const changes = [
    ...nodes.items.flatMap(nodeChanges),
    ...(pools.kind === 'told' ? pools.items.flatMap(podCIDRChanges) : []),
    ...(routes.kind === 'told' ? routes.items.flatMap(routeChanges) : []),
  ];
  const pending = nodes.items.filter(
    ({ planned }) => planned === null || planned.outcome.kind === 'lookup',
  );
  const { mode } = nodes.summary;
  if (output === 'json' || output === 'yaml') {
    const counted = { mode, nodes: nodes.items.length, pending: pending.length };
    const data = { manager: noteOf(manager, nodes), ...counted, items: changes };
    await writeAll(streams.output, await printData(data, output));
    return exitOk;
  }
  if (changes.length > 0) {
    await writeAll(streams.output, printTable(changes, columns, { isWide: output === 'wide' }));
  }
  const writing =
    mode === 'dryRun' ? '' : ' This manager runs without --dry-run: it makes the changes itself.';
  const waiting =
    pending.length === 0 ? '' : ` Nodes that it has not decided about yet: ${pending.length}.`;
  streams.errors.write(
    `Nodes compared: ${nodes.items.length}. Changes and refusals: ${changes.length}.${waiting}${writing}\n`,
  );
  return exitOk;
}

const columns: readonly Column<Change>[] = [
  { title: 'WHAT', cell: ({ what }) => what },
  { title: 'OBJECT', cell: ({ object }) => object },
  { title: 'CHANGE', cell: ({ change }) => change },
  { title: 'WHY', cell: ({ why }) => why },
];

export function nodeChanges({ name, planned }: NodeView): readonly Change[] {
  if (planned === null) return [];
  const writes = planned.actions.map(({ kind, reason }): Change => ({
    what: 'node',
    object: name,
    change: kind,
    why: reason,
  }));
  if (planned.outcome.kind !== 'refused') return writes;
  const { code, message } = planned.outcome;
  return [...writes, { what: 'node', object: name, change: `refuse (${code})`, why: message }];
}

export function podCIDRChanges({ name, state, podCIDRs, problems }: HolderView): readonly Change[] {
  const why = problems.map(({ message }) => message).join(' ');
  if (state === 'reserved' || state === 'in doubt') {
    const change = `assign ${podCIDRs.join(',')}`;
    return [{ what: 'podCIDRs', object: name, change, why: 'the node has no podCIDRs' }];
  }
  return problems.map(({ code }): Change => ({
    what: 'podCIDRs',
    object: name,
    change: `report ${code}`,
    why,
  }));
}

export function routeChanges({
  planned,
  destination,
  table,
  node,
  reason,
}: RouteView): readonly Change[] {
  if (planned === null) return [];
  const to = node === null ? '' : ` to ${node}`;
  return [
    { what: 'route', object: destination, change: `${planned}${to} in ${table}`, why: reason },
  ];
}
