/**
 * `kubectl nodeip audit`: checks the promises on one snapshot of a cluster, and writes nothing. It cannot check the
 * promises that show only over time: that a converged cluster gets no writes (P5), and that the successor of a killed
 * manager converges (P7).
 */
import { readSettings } from '@tandem/core/view';
import { exitBreach, exitOk, exitUnread } from '../exit-codes.ts';
import { noWarnings, readWarnings } from '../live/node-warnings.ts';
import { type Live, type LiveCommand, noteOf, sayUntold } from '../live/run-live.ts';
import { printData } from '../print/print-data.ts';
import { type Column, printTable } from '../print/table.ts';
import { writeAll } from '../streams.ts';
import type { Breach } from './breach.ts';
import { checkAddresses } from './check-addresses.ts';
import { checkEvents, needsEvents } from './check-events.ts';
import { checkNodes } from './check-nodes.ts';
import { checkPodCIDRs } from './check-pod-cidrs.ts';
import { checkRoutes } from './check-routes.ts';

export const auditCommand: LiveCommand = {
  name: 'audit',
  about:
    "Checks a cluster against Tandem's promises and lists every breach. It only reads. Addresses against\nthe cloud, pools, routes and refusals can be checked only with the manager's view.",
  withoutManager:
    'Where it cannot be\nreached, the command checks what the objects of the cluster tell, and says what is left out.',
  exitCodes:
    '0 no breach, and everything was checked; 1 breaches; 2 bad input; 4 the cluster could not\nbe read, or no breach was found but something could not be checked. For a pipeline that cannot reach\nthe manager, --no-manager asks for the objects alone: 0 then means no breach in these.',
  run: runAudit,
};

async function runAudit(live: Live): Promise<number> {
  const { cluster, manager, streams, output } = live;
  const [nodes, told, pools, routes] = await Promise.all([
    cluster.nodes(),
    manager.tell('nodes'),
    manager.tell('pools'),
    manager.tell('routes'),
  ]);
  const views =
    told.kind === 'told' ? new Map(told.items.map((view) => [view.uid, view])) : undefined;
  const settings = told.kind === 'told' ? readSettings(told.summary.settings) : undefined;
  const isDryRun = told.kind === 'told' && told.summary.mode === 'dryRun';
  const nowMs = told.kind === 'told' ? told.nowMs : live.nowMs;
  const facts = { views: isDryRun ? undefined : views, nowMs };
  const events = needsEvents(nodes, facts) ? await readWarnings(cluster) : noWarnings;
  const found = [
    ...checkNodes(nodes, views),
    ...(views === undefined || settings === undefined
      ? []
      : checkAddresses(nodes, views, settings)),
    ...(pools.kind === 'told' ? checkPodCIDRs(nodes, pools) : []),
    ...(routes.kind === 'told' ? checkRoutes(nodes, routes.items) : []),
    ...(events.kind === 'read' ? checkEvents(nodes, { ...facts, warnings: events.warnings }) : []),
  ];
  const unread = [
    ...(views === undefined || settings === undefined ? ['addresses against the cloud'] : []),
    ...(pools.kind === 'unreached' ? ['podCIDRs against the pools'] : []),
    ...(routes.kind === 'unreached' ? ['routes'] : []),
    ...(views === undefined || (events.kind === 'unread' && !isDryRun)
      ? ['events of refusals']
      : []),
    ...(events.kind === 'unread' ? ['events of nodes that wait'] : []),
  ];
  const unchecked = [...unread, ...(isDryRun ? ['events of refusals (a dry run sends none)'] : [])];
  if (events.kind === 'unread') streams.errors.write(`warning: ${events.problem}\n`);
  if (output === 'json' || output === 'yaml') {
    const data = { manager: noteOf(manager, told), nodes: nodes.length, unchecked, items: found };
    await writeAll(streams.output, await printData(data, output));
  } else {
    if (told.kind !== 'told') sayUntold(live, told);
    await writeAll(streams.output, printBreaches(found, { isWide: output === 'wide' }));
    const advice = found.length > 0 && output !== 'wide' ? ' -o wide shows what to do.' : '';
    streams.errors.write(`${summary(found, nodes.length, unchecked)}${advice}\n`);
  }
  if (found.length > 0) return exitBreach;
  const isIncomplete = unread.length > 0 && manager.isWanted;
  return isIncomplete || events.kind === 'unread' ? exitUnread : exitOk;
}

function printBreaches(found: readonly Breach[], options: { readonly isWide: boolean }): string {
  return found.length === 0 ? '' : printTable(found, columns, options);
}

const columns: readonly Column<Breach>[] = [
  { title: 'PROMISE', cell: ({ promise }) => promise },
  { title: 'BREACH', cell: ({ code }) => code },
  { title: 'OBJECT', cell: ({ object }) => object },
  { title: 'MESSAGE', cell: ({ message }) => message },
  { title: 'REMEDY', cell: ({ remedy }) => remedy, isWide: true },
];

function summary(found: readonly Breach[], nodes: number, unchecked: readonly string[]): string {
  const result = found.length === 0 ? 'No breach found' : `Breaches: ${found.length}`;
  const left = unchecked.length === 0 ? '' : ` Not checked: ${unchecked.join(', ')}.`;
  return `${result}. Nodes checked: ${nodes}.${left}`;
}
