/** helm and the chart for mocha suites: built once, or skipped with a reason, as the control plane is. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemEnvironment } from '@tandem/runtime';
import { parseAllDocuments } from 'yaml';
import { chartPath, presetPath } from '../../../tools/chart/rendered.ts';
import { Helm } from '../../helm/helm.ts';
import { goProgramOrSkip, goPrograms } from '../../support/go-program.ts';

export const root: string = join(import.meta.dirname, '..', '..', '..');

/** Any object of Kubernetes. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [field: string]: unknown;
}

interface UsedHelm {
  readonly helm: () => Helm;
  /** What the chart gives for these values, on top of a preset. */
  readonly render: (values?: object, preset?: string) => Promise<KubeObject[]>;
}

/** For the body of a `describe`. */
export function useHelm(): UsedHelm {
  let helm: Helm | undefined;
  let home = '';
  before(async function () {
    const program = await goProgramOrSkip(this, goPrograms.helm);
    home = await mkdtemp(join(tmpdir(), 'tandem-helm-'));
    helm = new Helm(program, { home, path: systemEnvironment()['PATH'] });
  });
  after(() => (home === '' ? undefined : rm(home, { recursive: true })));
  const get = (): Helm => {
    if (helm === undefined) throw new Error('helm is there in tests and hooks only');
    return helm;
  };
  const render = async (values: object = {}, preset = 'static'): Promise<KubeObject[]> => {
    const file = join(home, 'values.json');
    await writeFile(file, JSON.stringify(values));
    const given = ['--values', join(root, presetPath(preset)), '--values', file];
    const release = ['tandem', join(root, chartPath), '--namespace', 'kube-system'];
    const text = await get().run('template', ...release, ...given);
    return parseAllDocuments(text).map((document) => document.toJS());
  };
  return { helm: get, render };
}
