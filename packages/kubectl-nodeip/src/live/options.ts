/** The options of every command that reads a cluster, declared once. */
import type { GivenOptions, OptionTable } from '@tandem/cli/options';
import type { LeaseName } from '@tandem/kube/election';

export type LiveOptionName =
  | 'kubeconfig'
  | 'context'
  | 'manager'
  | 'manager-ca'
  | 'manager-skip-tls-verify'
  | 'manager-port'
  | 'no-manager'
  | 'lease';

export const liveOptions: OptionTable<LiveOptionName> = {
  kubeconfig: { value: 'FILE', help: 'The kubeconfig, found as kubectl finds it by default' },
  context: { value: 'CONTEXT', help: 'The context of the kubeconfig (default: its current one)' },
  manager: {
    value: 'URL',
    help: 'The secure port of the manager, such as https://127.0.0.1:10258, in place of a port-forward to the leader',
  },
  'manager-ca': {
    value: 'FILE',
    help: "The certificate authority of the manager's certificate, for --manager",
  },
  'manager-skip-tls-verify': {
    help: "Do not verify the manager's certificate, for --manager. Your token is sent to whatever listens there",
  },
  'manager-port': {
    value: 'PORT',
    help: 'The secure port of the manager in its pod, for the port-forward (default: 10258)',
  },
  'no-manager': { help: 'Do not ask the manager: show what the objects of the cluster tell' },
  lease: {
    value: 'NAMESPACE/NAME',
    help: 'The Lease of the manager (default: kube-system/cloud-controller-manager)',
  },
};

export const liveOptionNames: readonly LiveOptionName[] = [
  'kubeconfig',
  'context',
  'manager',
  'manager-ca',
  'manager-skip-tls-verify',
  'manager-port',
  'no-manager',
  'lease',
];

export interface LiveSettings {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly manager: ManagerChoice;
  readonly lease: LeaseName;
}

export type ManagerChoice =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly caFile: string | undefined;
      readonly isVerified: boolean;
    }
  | { readonly kind: 'leader'; readonly port: number };

/** Reads the options, and adds problems to `given.problems`. */
export function readLive<Name extends string>(
  given: GivenOptions<Name | LiveOptionName>,
): LiveSettings {
  return {
    kubeconfig: given.value('kubeconfig'),
    context: given.value('context'),
    manager: readManager(given),
    lease: readLeaseName(given),
  };
}

function readManager(given: GivenOptions<LiveOptionName>): ManagerChoice {
  const url = given.value('manager');
  if (given.has('no-manager')) {
    given.refuseBeside('no-manager', [
      'manager',
      'manager-ca',
      'manager-skip-tls-verify',
      'manager-port',
    ]);
    return { kind: 'none' };
  }
  if (url === undefined) {
    for (const name of ['manager-ca', 'manager-skip-tls-verify'] as const) {
      if (given.has(name)) given.problems.push(`--${name} requires --manager`);
    }
    const port = given.wholeNumber('manager-port', { min: 1, max: 65_535 });
    return { kind: 'leader', port: port ?? portDefault };
  }
  given.refuseBeside('manager', ['manager-port']);
  if (given.has('manager-skip-tls-verify')) {
    given.refuseBeside('manager-skip-tls-verify', ['manager-ca']);
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isBare = parsed?.pathname === '/' && parsed.search === '' && parsed.username === '';
  if (parsed?.protocol !== 'https:' || !isBare) {
    given.problems.push(
      `--manager ${JSON.stringify(url)} is not the address of a secure port: expected https://HOST:PORT`,
    );
  }
  return {
    kind: 'url',
    url: url.replace(/\/$/, ''),
    caFile: given.value('manager-ca'),
    isVerified: !given.has('manager-skip-tls-verify'),
  };
}

const portDefault = 10_258;

function readLeaseName(given: GivenOptions<LiveOptionName>): LeaseName {
  const text = given.value('lease') ?? 'kube-system/cloud-controller-manager';
  const [, namespace, name] = /^([a-z0-9-]+)\/([a-z0-9.-]+)$/.exec(text) ?? [];
  if (namespace === undefined || name === undefined) {
    given.problems.push(`--lease ${JSON.stringify(text)} is not NAMESPACE/NAME`);
    return { namespace: '', name: '' };
  }
  return { namespace, name };
}
