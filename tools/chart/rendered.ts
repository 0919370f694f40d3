/** `manifests/rendered`: the chart rendered with each preset, for users without Helm. */
import { join } from 'node:path';
import { accountsManifest, ownManifest } from '@tandem/manager/access';
import type { Helm } from '../../test/helm/helm.ts';
import type { PushedImage } from './values/values.ts';

interface RenderedManifest {
  readonly path: string;
  /** The description at the top of the file. */
  readonly about: string;
  /** Whether it names the image of the manager. */
  readonly hasImage?: boolean;
  /** The arguments of `helm template`, beside the name, the chart and the namespace. */
  readonly args: readonly string[];
}

export const chartPath = 'manifests/chart';

const rbac = 'templates/rbac.yaml';

export const presets = ['aws', 'azure', 'static'] as const;

export const renderedManifests: readonly RenderedManifest[] = [
  ...presets.map((preset) => ({
    path: `manifests/rendered/${preset}.yaml`,
    about: `All of it for --cloud-provider=${preset}.`,
    hasImage: true,
    args: ['--values', presetPath(preset)],
  })),
  {
    path: 'manifests/rendered/monitoring.yaml',
    about: `PodMonitor and PrometheusRule for the Prometheus operator, and the dashboard for Grafana.
Add the labels that your Prometheus and your Grafana select by.`,
    args: [
      '--values',
      presetPath('static'),
      '--set',
      'podMonitor.enabled=true,alerts.enabled=true,dashboard.enabled=true',
      '--show-only',
      'templates/monitoring.yaml',
    ],
  },
  {
    path: ownManifest,
    about: 'The permissions alone, for a manager that you deploy in another way.',
    args: ['--values', presetPath('static'), '--show-only', rbac],
  },
  {
    path: accountsManifest,
    about: `The permissions alone, for a manager with --use-service-account-credentials: apply it in place of
rbac.yaml.`,
    args: [
      '--values',
      presetPath('static'),
      '--set',
      'controllerAccounts=true',
      '--show-only',
      rbac,
    ],
  },
];

export function presetPath(preset: string): string {
  return `${chartPath}/presets/${preset}.yaml`;
}

/** Renders a file with helm in the tree at `root`; in a release, with the pushed image. */
export async function renderManifest(
  helm: Helm,
  manifest: RenderedManifest,
  { root, pushed }: { readonly root: string; readonly pushed?: PushedImage | undefined },
): Promise<string> {
  const image =
    pushed === undefined
      ? []
      : ['--set', `image.registry=${pushed.registry},image.digest=${pushed.digest}`];
  const args = [...manifest.args, ...image];
  const isUnnamed = manifest.hasImage === true && pushed === undefined;
  const about = `${manifest.about}${isUnnamed ? ' Name your image before you apply it.' : ''}`;
  const isPath = (arg: string): boolean => arg.startsWith(`${chartPath}/`);
  const placed = args.map((arg) => (isPath(arg) ? join(root, arg) : arg));
  const release = ['tandem', join(root, chartPath), '--namespace', 'kube-system'];
  const text = await helm.run('template', ...release, ...placed);
  const shown = args.map((arg) => (arg.includes('=') ? `'${arg}'` : arg)).join(' ');
  const command = `helm template tandem ${chartPath} --namespace kube-system ${shown}`;
  const head = `${about}\nMade by \`npm run manifests\`, which runs\n${command}`;
  return `${head.replaceAll(/^/gm, '# ')}\n${text.trimEnd()}\n`;
}
