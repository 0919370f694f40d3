/**
 * What one look of a dry run ends with: how many nodes would change and how, which would be refused and
 * by which code, and which could not be decided about. Nodes are named as far as they fit on a screen.
 */
import type { Finding } from '@tandem/controllers/finding';
import type { Missing } from './one-look.ts';

/** More names are counted. */
const namesMax = 20;

export interface Group {
  readonly nodes: number;
  /** In alphabetical order, at most twenty. */
  readonly names: readonly string[];
}

export interface Summary {
  readonly result: 'unchanged' | 'wouldChange' | 'unknown';
  /** Undefined where the controllers did not work. */
  readonly nodes: number | undefined;
  /** What could not be found out and why, or why the look ended before it was done. */
  readonly reason: string | undefined;
  readonly wouldChange: Group;
  /** By the kind of write; a node may get several. */
  readonly actions: Readonly<Record<string, Group>>;
  /** By why a node does not get all that it asks for: the code of a refusal, `Paused`, `DeletionHeld`. */
  readonly standings: Readonly<Record<string, Group>>;
  /** The cloud gave no answer about these. */
  readonly unknown: Group;
  /** The look ended before these were decided about. */
  readonly undecided: Group;
}

export interface Ending {
  readonly missing?: Missing | undefined;
  /** What ended the look, where it did not end by itself. */
  readonly failure?: string | undefined;
}

export function summarise(findings: readonly Finding[] | undefined, ending: Ending = {}): Summary {
  const all = findings ?? [];
  const decided = all.filter((finding) => finding.kind === 'decided');
  const changing = groupOf(decided.filter(({ actions }) => actions.length > 0));
  const unknown = groupOf(all.filter(({ kind }) => kind === 'unknown'));
  const undecided = groupOf(all.filter(({ kind }) => kind === 'pending'));
  const isKnown = findings !== undefined && unknown.nodes + undecided.nodes === 0;
  return {
    result: isKnown ? (changing.nodes === 0 ? 'unchanged' : 'wouldChange') : 'unknown',
    nodes: findings && groupOf(all).nodes,
    reason: reasonOf(ending),
    wouldChange: changing,
    actions: groupsBy(decided, ({ actions }) => actions),
    standings: groupsBy(decided, ({ standing }) => (standing === undefined ? [] : [standing])),
    unknown,
    undecided,
  };
}

/** For people: a line for the whole, and one for each group. */
export function summaryText(summary: Summary): string {
  const { nodes, reason, wouldChange, unknown, undecided } = summary;
  if (nodes === undefined) {
    return `Dry run: result unknown. ${reason ?? 'The look ended before it began.'}\n`;
  }
  const open = unknown.nodes + undecided.nodes;
  const doubt = open === 0 ? '' : `; ${open} unknown`;
  const rows = [
    ...Object.entries(summary.actions).map(
      ([kind, group]) => [`would ${actionWords.get(kind) ?? kind}`, group] as const,
    ),
    ...Object.entries(summary.standings).map(
      ([code, group]) => [standingWords.get(code) ?? `would be refused: ${code}`, group] as const,
    ),
    ['no answer from the cloud', unknown] as const,
    ['not decided in time', undecided] as const,
  ].filter(([, group]) => group.nodes > 0);
  const width = Math.max(0, ...rows.map(([label]) => label.length));
  const lines = rows.map(([label, group]) => `  ${label.padEnd(width)}  ${listed(group)}\n`);
  const why = reason === undefined ? '' : `Reason: ${reason}\n`;
  return `Dry run: ${wouldChange.nodes} of ${nodes} nodes would change${doubt}\n${lines.join('')}${why}`;
}

function reasonOf({ missing, failure }: Ending): string | undefined {
  if (missing === undefined) return failure;
  const { what, reason } = missing;
  const words = missingWords[what];
  const why = failure ?? (reason === undefined ? undefined : `${reason}.`);
  return why === undefined ? `${words} in time.` : `${words}: ${why}`;
}

const missingWords: Readonly<Record<Missing['what'], string>> = {
  'the list of nodes': 'The manager did not get the list of nodes',
  'the cloud provider': 'The cloud provider was not ready',
};

const actionWords: ReadonlyMap<string, string> = new Map([
  ['writeAddresses', 'write addresses'],
  ['writeNetworkCondition', 'mark as without a network'],
  ['writeLabels', 'write labels'],
  ['initialise', 'initialise'],
  ['deleteNode', 'delete'],
  ['addShutdownTaint', 'add the shutdown taint'],
  ['removeShutdownTaint', 'remove the shutdown taint'],
  ['assignPodCIDRs', 'assign pod CIDRs'],
]);

const standingWords: ReadonlyMap<string, string> = new Map([
  ['Paused', 'paused, would not change'],
  ['DeletionHeld', 'would be held by the deletion brake'],
  ['CIDRNotAvailable', 'would get no pod CIDRs: CIDRNotAvailable'],
  ['DuplicatePodCIDR', 'shares pod CIDRs with another node: DuplicatePodCIDR'],
  ['PodCIDROutsidePools', 'has pod CIDRs outside the pools: PodCIDROutsidePools'],
  ['PodCIDRFamilyMissing', 'has pod CIDRs of one family only: PodCIDRFamilyMissing'],
  ['PodCIDRFamilyOrder', 'has pod CIDRs in another order of families: PodCIDRFamilyOrder'],
  [
    'CloudCIDRAllocatorMismatch',
    'has other pod CIDRs than its instance: CloudCIDRAllocatorMismatch',
  ],
]);

function listed({ nodes, names }: Group): string {
  const more = nodes > names.length ? ` and ${nodes - names.length} more` : '';
  return `${nodes}: ${names.join(', ')}${more}`;
}

function groupsBy<T extends Finding>(
  findings: readonly T[],
  keysOf: (finding: T) => readonly string[],
): Record<string, Group> {
  const keys = new Set(findings.flatMap(keysOf));
  return Object.fromEntries(
    [...keys]
      .toSorted()
      .map((key) => [key, groupOf(findings.filter((finding) => keysOf(finding).includes(key)))]),
  );
}

/** Of nodes: both controllers may have found something about one. */
function groupOf(findings: readonly Finding[]): Group {
  const names = [...new Set(findings.map(({ node }) => node))].toSorted();
  return { nodes: names.length, names: names.slice(0, namesMax) };
}
