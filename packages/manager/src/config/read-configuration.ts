/**
 * Reads the file of `--config`: policies, networks that must never be node IPs, the cluster's VIPs, and pools of pod
 * CIDRs. It refuses what is unknown, mistyped or cannot work, because a misread policy would give nodes the wrong
 * addresses. It reports all problems at once, with line and path.
 */
import {
  type Exclusion,
  type Gates,
  type LabelSelector,
  nodeAddressTypes,
  type NodeIPPolicy,
  parseRequest,
  quote,
} from '@tandem/core/node-address';
import { parseCidr } from '@tandem/core/ip';
import { unreadableFile } from '@tandem/runtime';
import { type ConfigProblem, formatProblem, type Value, YamlValues } from '@tandem/cli/yaml';
import {
  apiVersion,
  exclusionFields,
  kind,
  policyFields,
  rootFields,
  routeFields,
} from './fields.ts';
import { readName } from './read-name.ts';
import { type FilePool, readPodCIDRPools } from './read-pod-cidr-pools.ts';
import { readSelector } from './read-selector.ts';
import { readVipExclusions } from './read-vips.ts';

export interface Configuration {
  readonly policies: readonly NodeIPPolicy[];
  readonly exclusions: readonly Exclusion[];
  readonly podCIDRPools: readonly FilePool[];
  /** The nodes that get routes; undefined for all. */
  readonly routeSelector: LabelSelector | undefined;
  /** One line each. A configuration with problems must not be used. */
  readonly problems: readonly string[];
}

/** The maximum length, which is that of a ConfigMap, the usual source of the file. */
export const textLengthMax: number = 1024 * 1024;

interface ConfigurationOptions {
  /** Undefined if there is no file. */
  readonly path: string | undefined;
  readonly readFile: (path: string) => Promise<string>;
  readonly gates: Gates;
}

export async function readConfiguration({
  path,
  readFile,
  gates,
}: ConfigurationOptions): Promise<Configuration> {
  if (path === undefined) return noConfiguration;
  let text;
  try {
    text = await readFile(path);
  } catch (err) {
    const { problem, fix } = unreadableFile(err, { namedBy: '--config', path });
    return refuse(`${problem} ${fix}`);
  }
  if (text.length > textLengthMax) {
    return refuse(`${path}: the file is longer than ${textLengthMax} characters`);
  }
  return parseConfiguration(text, { path, gates });
}

/** The configuration without a file. */
export const noConfiguration: Configuration = {
  policies: [],
  exclusions: [],
  podCIDRPools: [],
  routeSelector: undefined,
  problems: [],
};

function refuse(problem: string): Configuration {
  return { ...noConfiguration, problems: [problem] };
}

/** The maximum number of entries in a list, far more than users write by hand. */
const entriesMax = 1000;

export function parseConfiguration(
  text: string,
  { path, gates }: { readonly path: string; readonly gates: Gates },
): Configuration {
  const source = new YamlValues(text);
  const { root } = source;
  const fields = root && source.fields(root, rootFields);
  requireText(source, fields?.get('apiVersion'), apiVersion);
  requireText(source, fields?.get('kind'), kind);
  const policies = readPolicies(source, fields?.get('nodeIPPolicies'), gates);
  const exclusions = source
    .list(fields?.get('excludeCIDRs'), entriesMax)
    .flatMap((value) => readExclusion(source, value) ?? []);
  const vips = readVipExclusions(source, fields?.get('vips'));
  const podCIDRPools = readPodCIDRPools(source, fields?.get('podCIDRPools'), path);
  return {
    policies,
    exclusions: [...exclusions, ...vips],
    podCIDRPools,
    routeSelector: readRouteSelector(source, fields?.get('routes')),
    problems: tellProblems(path, source.problems),
  };
}

/** Formats the problems in the order of the file. Problems beyond `problemsMax` are only counted. */
function tellProblems(path: string, problems: readonly ConfigProblem[]): readonly string[] {
  const inOrder = problems.toSorted((one, other) => one.line - other.line);
  const told = inOrder.slice(0, problemsMax).map((problem) => formatProblem(path, problem));
  const beyond = problems.length - told.length;
  return beyond === 0 ? told : [...told, `${path}: ${beyond} more problems`];
}

const problemsMax = 50;

function requireText(source: YamlValues, value: Value | undefined, want: string): void {
  const text = source.text(value);
  if (value === undefined || text === undefined || text === want) return;
  source.refuse(value, `must be ${want}, not ${quote(text)}`);
}

function readRouteSelector(
  source: YamlValues,
  value: Value | undefined,
): LabelSelector | undefined {
  const fields = value && source.fields(value, routeFields);
  const selector = fields?.get('selector');
  return selector && readSelector(source, selector);
}

function readPolicies(
  source: YamlValues,
  value: Value | undefined,
  gates: Gates,
): readonly NodeIPPolicy[] {
  const lineOf = new Map<string, number>();
  return source.list(value, entriesMax).flatMap((item) => {
    const fields = source.fields(item, policyFields);
    const name = readName(source, fields?.get('name'), lineOf);
    const selectorValue = fields?.get('selector');
    const selector = selectorValue && readSelector(source, selectorValue);
    const request = readRequest(source, fields?.get('request'), gates);
    const overridesKubelet = source.truth(fields?.get('overridesKubelet')) ?? false;
    if (name === undefined || selector === undefined || request === undefined) return [];
    return [{ name, selector, request, overridesKubelet }];
  });
}

function readRequest(
  source: YamlValues,
  value: Value | undefined,
  gates: Gates,
): string | undefined {
  const text = source.text(value);
  if (value === undefined || text === undefined) return undefined;
  const parsed = parseRequest(text, gates);
  if (parsed.kind === 'request') return text;
  return source.refuse(value, `${parsed.refusal.code}: ${parsed.refusal.message}`);
}

function readExclusion(source: YamlValues, value: Value): Exclusion | undefined {
  const fields = source.fields(value, exclusionFields);
  const cidrValue = fields?.get('cidr');
  const text = source.text(cidrValue);
  const type = readType(source, fields?.get('type'));
  const given = source.text(fields?.get('reason'));
  if (cidrValue === undefined || text === undefined) return undefined;
  const parsed = parseCidr(text);
  if (parsed.kind === 'invalid') return source.refuse(cidrValue, `${quote(text)} ${parsed.reason}`);
  // Messages contain the reason, so it names the entry of the file.
  const entry = `excludeCIDRs ${text}`;
  const reason = given === undefined || given === '' ? entry : `${entry}: ${given}`;
  const { cidr } = parsed;
  return type === undefined ? { cidr, reason } : { cidr, type, reason };
}

function readType(source: YamlValues, value: Value | undefined): string | undefined {
  const text = source.text(value);
  if (value === undefined || text === undefined) return undefined;
  const type = nodeAddressTypes.find((known) => known === text);
  return (
    type ?? source.refuse(value, `${quote(text)} is not one of ${nodeAddressTypes.join(', ')}`)
  );
}
