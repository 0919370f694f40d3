/** One machine for each row of the KEP: `dual-01` to `dual-12`, then `ipv4-01` to `ipv4-12`. */
import { dualStackRows, type KepOutcome, type KepRow, singleStackRows } from './kep-rows.ts';
import { dualStackPodCIDRs, type Expected, internalIPs, type Machine } from './machine.ts';

export const kepMachines: readonly Machine[] = [
  ...dualStackRows.map((row, index) => machineOf(row, nameOf('dual', index))),
  ...singleStackRows.map((row, index) => machineOf(row, nameOf('ipv4', index))),
];

function machineOf({ nodeIP, cloud, outcome }: KepRow, name: string): Machine {
  return {
    name,
    group: 'KEP-3705',
    instance: { kind: 'own', addresses: internalIPs(cloud) },
    nodeIP,
    annotations: {},
    expected: expectedOf(outcome),
    expectedPodCIDRs: dualStackPodCIDRs,
  };
}

function expectedOf(outcome: KepOutcome): Expected {
  if (outcome.kind === 'refused') return { state: 'refused', code: outcome.code };
  return { state: 'ready', addresses: outcome.addresses, stack: outcome.stack };
}

/** Counted as in the KEP, from one. */
function nameOf(table: string, index: number): string {
  return `${table}-${String(index + 1).padStart(2, '0')}`;
}
