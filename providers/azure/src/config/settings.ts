/**
 * From `azure.json` to what this provider goes by. The file is upstream's, JSON or YAML. All that is wrong
 * with it is told at once, each complaint with its field. Keys that upstream does not have either are
 * accepted and named, because they may be misspelt.
 */
import { quote } from '@tandem/core/node-address';
import type { Rate } from '@tandem/provider/calls';
import type { Environment } from '@tandem/runtime';
import { type Cloud, customCloudName, findCloud } from './cloud.ts';
import { type CredentialSettings, readCredential } from './credential.ts';
import { readDocument } from './document.ts';
import { Fields } from './fields.ts';
import { knownKeys } from './known-keys.ts';

export interface AzureSettings {
  readonly cloud: CloudSettings;
  readonly subscriptionId: string;
  /** In lower case, as upstream has it. */
  readonly resourceGroup: string;
  /** Of a route table that is created. */
  readonly location: string | undefined;
  readonly credential: CredentialSettings;
  readonly routeTable: RouteTableSettings | undefined;
  /** Put in front of the SDK's user agent. */
  readonly userAgent: string | undefined;
  readonly rates: { readonly reads: Rate; readonly writes: Rate };
  readonly unknownKeys: readonly string[];
}

export type CloudSettings =
  | { readonly kind: 'named'; readonly cloud: Cloud }
  /** The file that `AZURE_ENVIRONMENT_FILEPATH` names has the endpoints. */
  | { readonly kind: 'file'; readonly path: string }
  /** The Resource Manager itself names the endpoints. `name` is the cloud that is meant, of several. */
  | { readonly kind: 'metadata'; readonly endpoint: string; readonly name: string };

export interface RouteTableSettings {
  readonly subscriptionId: string;
  /** Another one than that of the machines; only applications, not identities, have two. */
  readonly tenantId: string | undefined;
  readonly resourceGroup: string;
  readonly name: string;
  /** The keys that say where it is. */
  readonly scopeKeys: string;
  /** Which every write leaves on the table. */
  readonly tags: Readonly<Record<string, string>>;
}

export type ReadSettings =
  | { readonly kind: 'read'; readonly settings: AzureSettings }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

export function readSettings(text: string, environment: Environment): ReadSettings {
  const document = readDocument(text);
  if (typeof document === 'string') return { kind: 'invalid', problems: [document] };
  const fields = new Fields(document);
  const settings = settingsOf(fields, environment);
  return settings === undefined || fields.problems.length > 0
    ? { kind: 'invalid', problems: fields.problems }
    : { kind: 'read', settings };
}

function settingsOf(fields: Fields, environment: Environment): AzureSettings | undefined {
  const cloud = readCloud(fields, environment);
  const credential = readCredential(fields, environment);
  const subscriptionId = required(fields, 'subscriptionId', (name) => fields.guid(name));
  const resourceGroup = required(fields, 'resourceGroup', (name) => fields.name(name));
  const location = fields.text('location')?.replaceAll(' ', '').toLowerCase();
  const userAgent = fields.text('userAgent');
  const machines = {
    subscriptionId: subscriptionId ?? '',
    resourceGroup: resourceGroup?.toLowerCase() ?? '',
  };
  const routeTable = readRouteTable(fields, machines, credential);
  const rates = readRates(fields);
  const unknownKeys = fields.names.filter((name) => !knownKeys.has(name.toLowerCase()));
  if (!cloud || !credential || !subscriptionId || !resourceGroup) return undefined;
  return { cloud, credential, ...machines, location, routeTable, userAgent, rates, unknownKeys };
}

/** A fifth of what Azure lets one principal read, and a tenth of what it lets it write. */
const readsDefault: Rate = { callsPerSecond: 5, burst: 100 };
const writesDefault: Rate = { callsPerSecond: 1, burst: 20 };

/** Upstream's own where `cloudProviderRateLimit` is on. Calls wait here; upstream lets them fail. */
function readRates(fields: Fields): AzureSettings['rates'] {
  const rate = (ending: string): Rate => ({
    callsPerSecond: fields.number(`cloudProviderRateLimitQPS${ending}`) ?? 1,
    burst: Math.ceil(fields.number(`cloudProviderRateLimitBucket${ending}`) ?? 5),
  });
  return fields.flag('cloudProviderRateLimit')
    ? { reads: rate(''), writes: rate('Write') }
    : { reads: readsDefault, writes: writesDefault };
}

function required(
  fields: Fields,
  name: string,
  read: (name: string) => string | undefined,
): string | undefined {
  const before = fields.problems.length;
  const text = read(name);
  if (text === undefined && fields.problems.length === before) {
    fields.problems.push(`${name} is missing`);
  }
  return text;
}

function readCloud(fields: Fields, environment: Environment): CloudSettings | undefined {
  const name = fields.text('cloud') ?? '';
  const endpoint = fields.url('resourceManagerEndpoint');
  const path = environment['AZURE_ENVIRONMENT_FILEPATH'];
  const isCustom = name.toLowerCase() === customCloudName;
  if (isCustom && path) return { kind: 'file', path };
  if (endpoint !== undefined) return { kind: 'metadata', endpoint, name };
  const cloud = findCloud(name);
  if (cloud !== undefined) return { kind: 'named', cloud };
  const advice = isCustom
    ? 'needs the variable AZURE_ENVIRONMENT_FILEPATH, or resourceManagerEndpoint'
    : 'must be AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud or AzureStackCloud';
  fields.problems.push(`cloud ${quote(name)} ${advice}`);
  return undefined;
}

function readRouteTable(
  fields: Fields,
  machines: { readonly subscriptionId: string; readonly resourceGroup: string },
  credential: CredentialSettings | undefined,
): RouteTableSettings | undefined {
  const name = fields.name('routeTableName');
  const ownGroup = fields.name('routeTableResourceGroup');
  const ownSubscription = fields.guid('networkResourceSubscriptionID');
  const tenantId = fields.tenant('networkResourceTenantID');
  const scopeKeys = [
    ownSubscription === undefined ? 'subscriptionId' : 'networkResourceSubscriptionID',
    ownGroup === undefined ? 'resourceGroup' : 'routeTableResourceGroup',
  ].join(' and ');
  const tags = { ...readTagList(fields), ...fields.texts('tagsMap') };
  if (tenantId !== undefined && credential?.kind === 'managedIdentity') {
    fields.problems.push(
      'networkResourceTenantID cannot be used with useManagedIdentityExtension: an identity has one tenant',
    );
  }
  if (name === undefined) return undefined;
  const subscriptionId = ownSubscription ?? machines.subscriptionId;
  const resourceGroup = ownGroup ?? machines.resourceGroup;
  return { subscriptionId, tenantId, resourceGroup, name, scopeKeys, tags };
}

/** `a=b,c=d`. */
function readTagList(fields: Fields): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const pair of (fields.text('tags') ?? '').split(',')) {
    if (pair.trim() === '') continue;
    const at = pair.indexOf('=');
    if (at < 1) fields.problems.push('tags must be of the form a=b,c=d');
    else tags[pair.slice(0, at).trim()] = pair.slice(at + 1).trim();
  }
  return tags;
}
