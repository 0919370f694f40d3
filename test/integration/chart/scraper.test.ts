/** The account that the PodMonitor scrapes with, against a manager that runs. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { eventually } from '../../control-plane/index.ts';
import { apply, type ManifestObject } from '../manager/shipped-access.ts';
import { useInstallation } from '../manager/installation.ts';
import { operate } from '../operate/operated.ts';
import { root } from './helm.ts';

describe('the account that the PodMonitor scrapes with', function () {
  this.timeout(60_000);
  const { open, installation } = useInstallation();

  const accessIn = async (path: string): Promise<ManifestObject[]> => {
    const text = await readFile(join(root, path), 'utf8');
    const objects: ManifestObject[] = parseAllDocuments(text).map((each) => each.toJS());
    return objects.filter(({ kind }) => kind === 'ServiceAccount' || kind.includes('Role'));
  };

  it('may read the metrics, and nothing else', async () => {
    const preset = await accessIn('manifests/rendered/static.yaml');
    const reader = preset.filter(({ metadata }) => metadata.name.endsWith(':metrics-reader'));
    const scraper = await accessIn('manifests/rendered/monitoring.yaml');
    const token = await apply(installation().controlPlane.admin, [...reader, ...scraper]);
    await using scenario = await open();
    const { port } = await operate(scenario);
    const ask = async (path: string): Promise<number> => (await port.ask(path, { token })).status;
    // The authorizer learns of the binding by a watch.
    await eventually(async () => (await ask('/metrics/slis')) === 200);
    const { status, text } = await port.ask('/metrics', { token });
    assert.equal(status, 200);
    assert.match(text, /^tandem_informer_objects\{/m);
    for (const path of ['/configz', '/statusz', '/flagz']) assert.equal(await ask(path), 403, path);
  });
});
