/**
 * Reads this provider's settings from upstream's `azure.json`, which is JSON or YAML. It reports all problems at once,
 * each with its line and its field. It accepts keys that upstream does not know either and lists them, because they may be misspelt.
 */
import { quote } from '@tandem/core/node-address';
import type { Rate } from '@tandem/provider/calls';
import type { Environment } from '@tandem/runtime';
import { type Cloud, customCloudName, findCloud } from './cloud.ts';
import { type CredentialSettings, readCredential } from './credential.ts';
import { Fields } from './fields.ts';
import { knownKeys } from './known-keys.ts';

export interface AzureSettings {
  readonly cloud: CloudSettings;
  readonly subscriptionId: string;
  /** In lower case, as in upstream's manager. */
  readonly resourceGroup: string;
  /** The location of a route table that the provider creates. */
  readonly location: string | undefined;
  readonly credential: CredentialSettings;
  readonly routeTable: RouteTableSettings | undefined;
  /** A prefix for the SDK's user agent. */
  readonly userAgent: string | undefined;
  readonly rates: { readonly reads: Rate; readonly writes: Rate };
  readonly unknownKeys: readonly string[];
}

export type CloudSettings =
  | { readonly kind: 'named'; readonly cloud: Cloud }
  /** The endpoints are in the file that `AZURE_ENVIRONMENT_FILEPATH` names. */
  | { readonly kind: 'file'; readonly path: string }
  /** The Resource Manager returns the endpoints. `name` selects one cloud if it returns several. */
  | { readonly kind: 'metadata'; readonly endpoint: string; readonly name: string };

export interface RouteTableSettings {
  readonly subscriptionId: string;
  /** A tenant other than that of the machines. Only applications can use two tenants; managed identities cannot. */
  readonly tenantId: string | undefined;
  readonly resourceGroup: string;
  readonly name: string;
  /** The keys of azure.json that say where the table is, for error messages. */
  readonly scopeKeys: string;
  /** Tags that every write puts on the table. */
  readonly tags: Readonly<Record<string, string>>;
}

export type ReadSettings =
  | { readonly kind: 'read'; readonly settings: AzureSettings }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

export function readSettings(text: string, environment: Environment): ReadSettings {
  const fields = Fields.read(text);
  if (typeof fields === 'string') return { kind: 'invalid', problems: [fields] };
  const settings = settingsOf(fields, environment);
  return settings === undefined || fields.problems.length > 0
    ? { kind: 'invalid', problems: fields.problems }
    : { kind: 'read', settings };
}

function settingsOf(fields: Fields, environment: Environment): AzureSettings | undefined {
  const cloud = readCloud(fields, environment);
  const credential = readCredential(fields, environment);
  fields.require('subscriptionId');
  const subscriptionId = fields.guid('subscriptionId');
  fields.require('resourceGroup');
  const resourceGroup = fields.name('resourceGroup');
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

/** A fifth of the reads and a tenth of the writes that Azure allows one principal. */
const readsDefault: Rate = { callsPerSecond: 5, burst: 100 };
const writesDefault: Rate = { callsPerSecond: 1, burst: 20 };

/**
 * Returns the limits of the file, with upstream's defaults, if `cloudProviderRateLimit` is on. Calls over the limit
 * wait; in upstream's manager they fail.
 */
function readRates(fields: Fields): AzureSettings['rates'] {
  const rate = (ending: string): Rate => ({
    callsPerSecond: fields.number(`cloudProviderRateLimitQPS${ending}`) ?? 1,
    burst: Math.ceil(fields.number(`cloudProviderRateLimitBucket${ending}`) ?? 5),
  });
  return fields.flag('cloudProviderRateLimit')
    ? { reads: rate(''), writes: rate('Write') }
    : { reads: readsDefault, writes: writesDefault };
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
  return fields.refuse('cloud', `${quote(name)} ${advice}`);
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
    fields.refuse(
      'networkResourceTenantID',
      'cannot be used with useManagedIdentityExtension: an identity has one tenant',
    );
  }
  if (name === undefined) return undefined;
  const subscriptionId = ownSubscription ?? machines.subscriptionId;
  const resourceGroup = ownGroup ?? machines.resourceGroup;
  return { subscriptionId, tenantId, resourceGroup, name, scopeKeys, tags };
}

/** Reads tags of the form `a=b,c=d`. */
function readTagList(fields: Fields): Record<string, string> {
  const tags: Record<string, string> = {};
  for (const pair of (fields.text('tags') ?? '').split(',')) {
    if (pair.trim() === '') continue;
    const at = pair.indexOf('=');
    if (at < 1) fields.refuse('tags', 'must be of the form a=b,c=d');
    else tags[pair.slice(0, at).trim()] = pair.slice(at + 1).trim();
  }
  return tags;
}
