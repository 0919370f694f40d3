/** Tables of known answers, kept as data in `test/vectors` and shared by the suites that test them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', 'vectors');

interface AddressEntry {
  readonly type: string;
  readonly address: string;
}

/** A row of KEP-3705's two tables. */
export interface KepRow {
  readonly table: string;
  readonly nodeIP: string | null;
  readonly cloud: readonly AddressEntry[];
  readonly annotation: string | null;
  readonly addresses: readonly string[] | null;
  readonly stack: string | null;
  readonly error: string | null;
}

/** A question to upstream's resolver and its answer: null is a refusal. */
interface UpstreamRow {
  readonly name: string;
  readonly cloud: readonly AddressEntry[];
  readonly annotation: string;
  readonly addresses: readonly AddressEntry[] | null;
}

export function readKepRows(): KepRow[] {
  return JSON.parse(readFileSync(join(folder, 'kep-3705-tables.json'), 'utf8'));
}

/** The cases of upstream's own unit tests. */
export function readUpstreamCases(): UpstreamRow[] {
  const text = readFileSync(join(folder, 'upstream-literal-requests.json'), 'utf8');
  const rows: {
    name: string;
    cloud: AddressEntry[];
    annotation: string;
    expect: AddressEntry[] | null;
    error: boolean;
  }[] = JSON.parse(text);
  return rows.map(({ name, cloud, annotation, expect, error }) => ({
    name,
    cloud,
    annotation,
    addresses: error ? null : expect,
  }));
}

/** What upstream's resolver answered to generated questions (`test/vectors/upstream`). */
export function readRecordedRequests(): UpstreamRow[] {
  const rows: [string, [string, string][], [string, string][] | null][] =
    readLines('upstream-requests.jsonl');
  const toEntry = ([type, address]: [string, string]): AddressEntry => ({ type, address });
  return rows.map(([annotation, cloud, addresses], index) => ({
    name: `line ${index + 1}`,
    cloud: cloud.map(toEntry),
    annotation,
    addresses: addresses?.map(toEntry) ?? null,
  }));
}

/** A text and the canonical text of the address that Kubernetes reads from it, or null. */
export function readRecordedAddresses(): [string, string | null][] {
  return readLines('upstream-addresses.jsonl');
}

/** A `--node-ip`, the IPs that the kubelet takes from it (null: it does not start), and the words that it drops. */
export function readRecordedArguments(): [string, string[] | null, string[]][] {
  return readLines('upstream-kubelet.jsonl');
}

/** What upstream's set of CIDRs answered (`test/vectors/upstream-cidr-set`). */
export interface CidrSetRow {
  readonly name?: string;
  readonly range: string;
  readonly blockPrefixLength: number;
  /** Upstream refuses to create such a set. */
  readonly refused?: boolean;
  readonly steps: readonly CidrSetStep[];
}

/** An allocation that finds no block answers with an empty text; a CIDR that overlaps no block with `outside`. */
export type CidrSetStep =
  | readonly ['allocate', '', string]
  | readonly ['exclude' | 'occupy' | 'release', string, 'done' | 'outside'];

/** Sequences in which upstream is right. */
export function readRecordedCidrSets(): CidrSetRow[] {
  return readLines('upstream-cidr-set.jsonl');
}

/** Sequences whose last answer is one that Tandem does not give. */
export function readCidrSetFaults(): CidrSetRow[] {
  return readLines('upstream-cidr-set-faults.jsonl');
}

function readLines<Row>(name: string): Row[] {
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}
