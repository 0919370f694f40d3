/**
 * Reads the pod CIDR pools of the file and checks what the file alone can show. Each range keeps its place, because
 * `allocatorProblems` checks the ranges against the flags later.
 */
import { type Cidr, formatCidr, parseCidr } from '@tandem/core/ip';
import { quote } from '@tandem/core/node-address';
import {
  type PodCIDRPool,
  type PoolRange,
  defaultSizeProblem,
  familiesProblem,
  findOverlaps,
  flagPoolName,
  nodeMaskSizeDefaults,
  sizeProblem,
  unusableProblem,
} from '@tandem/core/allocation';
import { formatPlace, type Value, type YamlValues } from '@tandem/cli/yaml';
import { maskSizeFields, poolFields } from './fields.ts';
import { readName } from './read-name.ts';
import { readSelector } from './read-selector.ts';

export interface FilePool extends PodCIDRPool {
  readonly ranges: readonly FileRange[];
}

export interface FileRange extends PoolRange {
  /** The line and path for messages, such as `config.yaml:12: podCIDRPools[0].cidrs[1]`. */
  readonly place: string;
}

/** The maximum number of pools, far more than users write by hand. */
const poolsMax = 1000;

/** The maximum number of CIDRs that are read. At most two are valid. */
const cidrsMax = 64;

/** The maximum length of a name, that of a label value: an event has room for two such names and its text. */
const nameLengthMax = 63;

export function readPodCIDRPools(
  source: YamlValues,
  value: Value | undefined,
  file: string,
): readonly FilePool[] {
  const lineOf = new Map<string, number>();
  const pools = source.list(value, poolsMax).map((item) => readPool(source, item, lineOf));
  const ranges = pools.flatMap(({ name, ranges: own }) => own.map((range) => ({ ...range, name })));
  for (const { range, earlier } of findOverlaps(ranges)) {
    const other = `${formatCidr(earlier.cidr)} of pool ${quote(earlier.name)} on line ${earlier.at.line}`;
    source.refuse(range.at, `${formatCidr(range.cidr)} overlaps ${other}. Use another range.`);
  }
  return pools.map((pool) => ({
    ...pool,
    ranges: pool.ranges.map(({ at, ...range }) => ({ ...range, place: formatPlace(file, at) })),
  }));
}

interface ReadCidr {
  readonly cidr: Cidr;
  readonly at: Value;
}

type ReadRange = PoolRange & ReadCidr;

type ReadPool = Omit<PodCIDRPool, 'ranges'> & { readonly ranges: readonly ReadRange[] };

function readPool(source: YamlValues, item: Value, lineOf: Map<string, number>): ReadPool {
  const fields = source.fields(item, poolFields);
  const name = readPoolName(source, fields?.get('name'), lineOf);
  const selectorValue = fields?.get('selector');
  const selector = selectorValue && readSelector(source, selectorValue);
  const cidrs = readCidrs(source, fields?.get('cidrs'));
  const ranges = readSizes(source, fields?.get('nodeMaskSizes'), cidrs);
  // A missing name was reported; the rest of the pool is checked anyway.
  return { name: name ?? '', selector, ranges };
}

function readPoolName(
  source: YamlValues,
  value: Value | undefined,
  lineOf: Map<string, number>,
): string | undefined {
  const name = readName(source, value, lineOf);
  const problem = name === undefined ? undefined : poolNameProblem(name);
  if (value !== undefined) noteIfAny(source, value, problem);
  return name;
}

/** Checks the name, which is a label of metrics and part of events and of `/statusz`. */
function poolNameProblem(name: string): string | undefined {
  if (name === flagPoolName) {
    return `${quote(name)} is the pool of --cluster-cidr. Use another name.`;
  }
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) {
    return `${quote(name)} has a line break or another control character. Use a name without them.`;
  }
  return name.length > nameLengthMax
    ? `has ${name.length} characters. Use at most ${nameLengthMax}.`
    : undefined;
}

interface ReadCidrs {
  readonly cidrs: readonly ReadCidr[];
  /** Whether all ranges could be read. An unreadable one may be of either family. */
  readonly isWhole: boolean;
}

function readCidrs(source: YamlValues, value: Value | undefined): ReadCidrs {
  const items = value && source.items(value, cidrsMax);
  if (value === undefined || items === undefined) return { cidrs: [], isWhole: false };
  const cidrs = items.flatMap((item) => readCidr(source, item) ?? []);
  const problem =
    items.length === 0
      ? 'has no ranges'
      : familiesProblem(
          cidrs.map(({ cidr }) => cidr),
          items.length,
        );
  if (problem !== undefined) {
    source.refuse(value, `${problem}. List one range, or one of each family.`);
  }
  for (const { cidr, at } of cidrs) noteIfAny(source, at, unusableProblem(cidr));
  return { cidrs, isWhole: cidrs.length === items.length };
}

function readCidr(source: YamlValues, at: Value): ReadCidr | undefined {
  const text = source.text(at);
  if (text === undefined) return undefined;
  const parsed = parseCidr(text);
  if (parsed.kind === 'cidr') return { cidr: parsed.cidr, at };
  return source.refuse(at, `${quote(text)} ${parsed.reason}`);
}

function readSizes(
  source: YamlValues,
  value: Value | undefined,
  { cidrs, isWhole }: ReadCidrs,
): readonly ReadRange[] {
  const fields = value && source.fields(value, maskSizeFields);
  const places = { IPv4: fields?.get('IPv4'), IPv6: fields?.get('IPv6') };
  const sizes = { IPv4: source.wholeNumber(places.IPv4), IPv6: source.wholeNumber(places.IPv6) };
  for (const family of ['IPv4', 'IPv6'] as const) {
    const place = places[family];
    const isIdle = isWhole && cidrs.every(({ cidr }) => cidr.network.family !== family);
    if (place !== undefined && isIdle) {
      source.refuse(place, `cidrs has no ${family} range. Add one, or remove the size.`);
    }
  }
  return cidrs.map(({ cidr, at }) => {
    const { family } = cidr.network;
    const size = sizes[family];
    const place = places[family];
    const range = { cidr, at, nodeMaskSize: size ?? nodeMaskSizeDefaults[family] };
    if (place === undefined) {
      noteIfAny(source, at, defaultSizeProblem(range, `nodeMaskSizes.${family}`));
    } else if (size !== undefined) {
      noteIfAny(source, place, sizeProblem(range));
    }
    return range;
  });
}

function noteIfAny(source: YamlValues, at: Value, problem: string | undefined): void {
  if (problem !== undefined) source.refuse(at, problem);
}
