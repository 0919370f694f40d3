/**
 * Reads a question from a command line, and reports all its problems at once. No option is accepted and ignored:
 * options that cannot be combined are refused.
 */
import {
  type Exclusion,
  type Gates,
  type KubeletKind,
  type NodeAddress,
  nodeAddressTypes,
  quote,
} from '@tandem/core/node-address';
import { cidrOfAddress, parseAddress, parseCidr, type ParsedCidr } from '@tandem/core/ip';
import { echoMax, GivenOptions } from '@tandem/cli/options';
import { liveOptionNames, type LiveSettings, readLive } from '../live/options.ts';
import { optionDeclarations, type OptionName, optionNames } from './options.ts';

export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'kep-tables' }
  | { readonly kind: 'batch'; readonly rules: Rules; readonly kubelet: KubeletKind }
  | {
      readonly kind: 'single';
      readonly rules: Rules;
      readonly cloud: readonly NodeAddress[];
      readonly asked: GivenRequest;
      readonly output: OutputFormat;
    }
  | {
      readonly kind: 'live';
      readonly node: string;
      readonly live: LiveSettings;
      readonly output: OutputFormat;
    }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** The rules for every question of a run. */
export interface Rules {
  readonly exclusions: readonly Exclusion[];
  readonly gates: Gates;
}

export type GivenRequest =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'request'; readonly value: string }
  | { readonly kind: 'nodeIP'; readonly value: string; readonly kubelet: KubeletKind };

type Given = GivenOptions<OptionName>;

export type OutputFormat = 'text' | 'json' | 'yaml';

export function readCommandLine(args: readonly string[]): Command {
  const given: Given = new GivenOptions(args, optionDeclarations, {
    positionalsMax: 1,
    positionalAdvice: 'explain takes one node',
  });
  if (given.has('help')) return { kind: 'help' };
  const command = readCommand(given);
  return given.problems.length === 0 ? command : { kind: 'invalid', problems: given.problems };
}

function readCommand(given: Given): Command {
  const [node] = given.positionals;
  if (node !== undefined) return readLiveCommand(given, node);
  for (const name of liveOptionNames) {
    if (given.has(name)) given.problems.push(`--${name} requires the name of a node`);
  }
  if (given.has('kep-tables')) {
    given.refuseBeside('kep-tables', optionNames);
    return { kind: 'kep-tables' };
  }
  const rules = { exclusions: readExclusions(given), gates: readGates(given) };
  const kubelet = given.choice('kubelet', ['kep', 'released']) ?? 'kep';
  if (given.has('batch')) {
    given.refuseBeside('batch', ['request', 'node-ip', 'cloud-address']);
    const output = given.choice('output', ['json', 'text', 'yaml']) ?? 'json';
    if (output !== 'json')
      given.problems.push(`--output ${output} cannot be combined with --batch, which prints JSON`);
    return { kind: 'batch', rules, kubelet };
  }
  const nodeIP = given.value('node-ip');
  const request = given.value('request');
  if (nodeIP !== undefined && request !== undefined) {
    given.problems.push('--request cannot be combined with --node-ip: give one of them');
  }
  if (nodeIP === undefined && given.has('kubelet')) {
    given.problems.push('--kubelet requires --node-ip or --batch');
  }
  if (given.problems.length === 0 && !questionNames.some((name) => given.has(name))) {
    given.problems.push('nothing to explain: expected a NODE, or --cloud-address TYPE=ADDRESS');
  }
  return {
    kind: 'single',
    rules,
    cloud: given.values('cloud-address').flatMap((text) => readCloudAddress(text, given.problems)),
    asked: askedBy({ request, nodeIP, kubelet }),
    output: given.choice('output', ['text', 'json', 'yaml']) ?? 'text',
  };
}

/** The options of a question without a cluster, which has at least one of them. */
const questionNames: readonly OptionName[] = ['cloud-address', 'request', 'node-ip'];

function readLiveCommand(given: Given, node: string): Command {
  for (const name of optionNames) {
    if (given.has(name) && !beside.has(name))
      given.problems.push(`--${name} cannot be combined with the name of a node`);
  }
  if (!nodeNamePattern.test(node) || node.length > nodeNameMax)
    given.problems.push(`${shown(node)} is not the name of a node`);
  const output = given.choice('output', ['text', 'json', 'yaml']) ?? 'text';
  return { kind: 'live', node, live: readLive(given), output };
}

/** The API server's rule for names of nodes: a DNS subdomain. */
const nodeNamePattern = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
const nodeNameMax = 253;

/** The options that can be combined with the name of a node. */
const beside: ReadonlySet<OptionName> = new Set<OptionName>([...liveOptionNames, 'output']);

function askedBy(options: {
  request: string | undefined;
  nodeIP: string | undefined;
  kubelet: KubeletKind;
}): GivenRequest {
  const { request, nodeIP, kubelet } = options;
  if (request !== undefined) return { kind: 'request', value: request };
  return nodeIP === undefined ? { kind: 'nothing' } : { kind: 'nodeIP', value: nodeIP, kubelet };
}

function readCloudAddress(text: string, problems: string[]): NodeAddress[] {
  const [type, address] = splitType(text);
  if (type === undefined) {
    const lacks = isAddressType(text) ? 'address' : 'type';
    problems.push(
      `--cloud-address ${shown(text)} has no ${lacks}: expected TYPE=ADDRESS, such as InternalIP=10.0.0.1`,
    );
    return [];
  }
  if (!isAddressType(type)) {
    problems.push(
      `--cloud-address ${shown(text)} has an unknown type ${shown(type)}: expected ${typeList}`,
    );
    return [];
  }
  if (address === '') {
    problems.push(`--cloud-address ${shown(text)} has no address: expected TYPE=ADDRESS`);
    return [];
  }
  return [{ type, address }];
}

function readExclusions(given: Given): Exclusion[] {
  return given.values('exclude').flatMap((text) => {
    const [type, network] = splitType(text);
    const parsed = readNetwork(network);
    if (parsed.kind === 'invalid') {
      given.problems.push(`--exclude ${shown(text)} ${parsed.reason}`);
      return [];
    }
    if (type !== undefined && !isAddressType(type)) {
      given.problems.push(
        `--exclude ${shown(text)} has an unknown type ${shown(type)}: expected ${typeList}`,
      );
      return [];
    }
    const reason = `--exclude ${text}`;
    return [
      type === undefined ? { cidr: parsed.cidr, reason } : { cidr: parsed.cidr, type, reason },
    ];
  });
}

function readNetwork(text: string): ParsedCidr {
  const address = parseAddress(text);
  if (address !== undefined) return { kind: 'cidr', cidr: cidrOfAddress(address) };
  if (text.includes('/')) return parseCidr(text);
  return {
    kind: 'invalid',
    reason: 'is neither a network, such as 192.0.2.0/24, nor an IP address',
  };
}

function readGates(given: Given): Gates {
  let isOn = true;
  for (const gate of given.value('feature-gates')?.split(',') ?? []) {
    const [, name, setting] = /^([^=]*)=(.*)$/.exec(gate) ?? [];
    if (name !== 'CloudNodeIPs' || (setting !== 'true' && setting !== 'false')) {
      given.problems.push(
        `--feature-gates ${shown(gate)} is not a feature gate: expected CloudNodeIPs=true or CloudNodeIPs=false`,
      );
    }
    isOn = setting !== 'false';
  }
  return { CloudNodeIPs: isOn };
}

/** Splits `TYPE=rest`. Returns the whole text if there is no type. */
function splitType(text: string): [string | undefined, string] {
  const equals = text.indexOf('=');
  return equals < 0 ? [undefined, text] : [text.slice(0, equals), text.slice(equals + 1)];
}

const typeList = nodeAddressTypes.join(', ');

function isAddressType(type: string): boolean {
  return nodeAddressTypes.some((known) => known === type);
}

function shown(text: string): string {
  return quote(text, echoMax);
}
