/**
 * Finds the endpoints of custom clouds in the same ways as upstream: from a file that a variable names, or from the
 * Resource Manager that the configuration names.
 */
import { printable, quote } from '@tandem/core/node-address';
import { fieldOf } from '@tandem/provider/calls';
import type { Retry } from '@tandem/runtime';
import { AzureError } from '../failure.ts';
import { AnswerError } from '../read-json.ts';
import { type Cloud, customCloud, findCloud } from './cloud.ts';
import { Fields } from './fields.ts';
import { invalid, readText } from './read-config.ts';
import type { CloudSettings } from './settings.ts';

const fileVariable = 'AZURE_ENVIRONMENT_FILEPATH';
const metadataPath = '/metadata/endpoints?api-version=2019-05-01';

/** Reads the JSON at a URL. Rejects with an `AnswerError` if the server answered with something else. */
export type ReadJson = (url: string) => Promise<unknown>;

export async function readCloud(settings: CloudSettings, readJson: ReadJson): Promise<Cloud> {
  switch (settings.kind) {
    case 'named':
      return settings.cloud;
    case 'file':
      return cloudOfFile(settings.path, await readText(fileVariable, settings.path));
    case 'metadata':
      return cloudOfMetadata(settings, readJson);
  }
}

export function cloudOfFile(path: string, text: string): Cloud {
  const fields = Fields.read(text);
  const problems = typeof fields === 'string' ? [fields] : fields.problems;
  const required = (name: string): string => {
    if (typeof fields === 'string') return '';
    fields.require(name);
    return fields.url(name) ?? '';
  };
  const endpoint = required('resourceManagerEndpoint');
  const authority = required('activeDirectoryEndpoint');
  const audience = required('tokenAudience');
  if (problems.length > 0) {
    throw invalid(`${fileVariable}: ${quote(path)} is invalid: ${problems.join('; ')}`);
  }
  return customCloud({ endpoint, authority, audience });
}

async function cloudOfMetadata(
  { endpoint, name }: { readonly endpoint: string; readonly name: string },
  readJson: ReadJson,
): Promise<Cloud> {
  const url = `${endpoint.replace(/\/+$/, '')}${metadataPath}`;
  const document = await readJson(url).catch((err: unknown) => {
    const reason = err instanceof Error ? printable(err.message, 200) : 'unknown reason';
    const retry = err instanceof AnswerError ? err.retry : 'backoff';
    throw unknownCloud(`${quote(url, 200)} could not be read: ${reason}`, retry);
  });
  const entries: readonly unknown[] = Array.isArray(document) ? document : [document];
  const named = entries.find((one) => isNamed(one, name));
  const entry = named ?? (entries.length === 1 ? entries[0] : undefined);
  // The Resource Manager calls the published clouds by other names than azure.json, such as AzureCloud.
  const published = entry === undefined && name !== '' ? findCloud(name) : undefined;
  if (published !== undefined) return published;
  const authentication = fieldOf(entry, 'authentication');
  const authority = fieldOf(authentication, 'loginEndpoint');
  const audiences = fieldOf(authentication, 'audiences');
  const audience: unknown = Array.isArray(audiences) ? audiences[0] : undefined;
  if (typeof authority !== 'string' || typeof audience !== 'string') {
    const what = `names no login endpoint and audience of cloud ${quote(name)}`;
    throw unknownCloud(`${quote(url, 200)} ${what}`);
  }
  return customCloud({ endpoint, authority, audience });
}

/** Returns whether the entry has this name. An empty name matches every entry, so the first one is used. */
function isNamed(entry: unknown, name: string): boolean {
  const own = fieldOf(entry, 'name');
  return name === '' || (typeof own === 'string' && own.toLowerCase() === name.toLowerCase());
}

function unknownCloud(why: string, retry: Retry = 'never'): AzureError {
  const message = `The endpoints of the cloud are not known: ${why}. Check resourceManagerEndpoint in --cloud-config`;
  return new AzureError('AzureEnvironmentUnknown', message, { retry });
}
