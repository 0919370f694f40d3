/**
 * What the tests do with every block of commands in the pages: the blocks of each page in order, identified by their
 * first words. A block that is missing here fails `command-blocks.test.ts`, so that none is added without a decision.
 * Blocks are run if possible; they are parsed or listed only if they need a cloud, a machine or a registry.
 */
type Treatment =
  /** `test/integration/guides/guides.test.ts` types it, on a real control plane. */
  | { readonly how: 'run' }
  /** Another test, which reads the page or takes the same steps. */
  | { readonly how: 'runBy'; readonly test: string }
  /** Commands of the manager only, which its own parser accepts. */
  | { readonly how: 'parsed'; readonly why: string }
  | { readonly how: 'listed'; readonly why: string };

type Block = readonly [beginning: string, treatment: Treatment];

const run: Treatment = { how: 'run' };
const runBy = (test: string): Treatment => ({ how: 'runBy', test });
const parsed = (why: string): Treatment => ({ how: 'parsed', why });
const listed = (why: string): Treatment => ({ how: 'listed', why });

const az = listed('az needs a subscription');
const kubelet = listed('a kubelet needs a machine of its own');
const talosctl = listed(
  'talosctl is not built here; test/integration/guides/talos.test.ts applies the same patches',
);
const imageTest = runBy('test/integration/image/image.test.ts');
const startTest = runBy('test/integration/start/start.test.ts');
const pluginTest = runBy('test/integration/plugin.test.ts');

const installation = 'kubectl -n kube-system create configmap cloud-config';
const manager = 'npx cloud-controller-manager --cloud-provider=';

/** `all` is a page whose blocks are all run, one after the other. */
export const commandBlocks: Readonly<Record<string, readonly Block[] | 'all'>> = {
  'README.md': [
    ['npm ci && npm start', startTest],
    [installation, run],
    ['npm ci && REQUIRE_CONTROL_PLANE=1 npm test', listed('this test is part of that run')],
  ],
  'CONTRIBUTING.md': [
    ['cd test/vectors/upstream && go run', listed('it records the answers of upstream again')],
  ],
  'manifests/chart/README.md': [[installation, run]],
  'docs/tutorials/first-look.md': [
    ['npm ci && npm start', startTest],
    ['kubectl annotate node dual-01', startTest],
    ['kubectl describe node ipv4-09', startTest],
    ['kubectl delete node twin-a', startTest],
    ['npm -s start -- --once -o json | jq', startTest],
  ],
  'docs/guides/aws.md': [
    ['kubelet --cloud-provider=external --provider-id=aws:', kubelet],
    [`${manager}aws`, parsed('AWS needs an account; providers/aws/src/guide.slow.test.ts')],
  ],
  'docs/guides/azure.md': [
    ['az network vnet create', az],
    ['az network nic ip-config create', az],
    ['az role definition create', az],
    ['kubelet --cloud-provider=external', kubelet],
    [
      `${manager}azure`,
      parsed('Azure needs a subscription; providers/azure/src/guide.slow.test.ts'),
    ],
    ['az network route-table create', az],
  ],
  'docs/guides/bare-metal.md': 'all',
  'docs/guides/build-the-image.md': [
    ['npm ci buildah build', imageTest],
    ['buildah build --platform=', listed('it needs a registry, and a base for each platform')],
    ['mkdir -p base/usr/local/bin', imageTest],
    ['npm run sbom', runBy('tools/sbom/main.slow.test.ts')],
  ],
  'docs/guides/from-upstream.md': [
    [`${manager}aws`, parsed('AWS needs an account')],
    ['prefix=openstack:// kubectl get nodes', run],
  ],
  'docs/guides/kubeadm.md': [[installation, run]],
  'docs/guides/pod-cidrs.md': [
    [`${manager}static`, run],
    ['kubectl drain node-7', run],
    [`${manager}static`, run],
    ['kubectl -n kube-system get pods -l component=kube-controller-manager', run],
  ],
  'docs/guides/release.md': [
    ['npm ci npm run release -- --dry-run', runBy('test/integration/release/release.test.ts')],
    ['npm run release -- --version', listed('it needs a registry and a key or an identity')],
    ['npm run release -- --dry-run', runBy('test/integration/release/release.test.ts')],
    ['IMAGE=', listed('cosign needs an image that was released')],
  ],
  'docs/guides/routes.md': [
    [`${manager}static`, run],
    ['table=/var/lib/tandem/routes.json to_bird=', run],
    ['table=/var/lib/tandem/routes.json {', run],
    ['kubectl describe node node-1', run],
  ],
  'docs/guides/run-the-manager.md': [
    [`npm ci ${manager}static`, run],
    [installation, run],
    ['kubectl describe node node-1', run],
    ['kubectl create clusterrole tandem-verbosity', run],
    [`${manager}static`, run],
    ['kubectl create clusterrole tandem-pages', run],
  ],
  'docs/guides/single-to-dual-stack.md': [['kubectl get node node-0 -o jsonpath', run]],
  'docs/guides/talos.md': [
    ['talosctl gen config', talosctl],
    ['talosctl patch machineconfig', talosctl],
  ],
  'docs/guides/troubleshooting.md': [['kubectl describe node node-0', run]],
  'docs/guides/upgrades.md': [
    ['helm upgrade tandem', run],
    ['helm rollback tandem', run],
  ],
  'docs/guides/use-the-plugin.md': [
    ['npm ci mkdir -p ~/.local/bin ln', pluginTest],
    ['npm run build -- --output', pluginTest],
    ['kubectl nodeip explain --request', pluginTest],
    ['echo', pluginTest],
    ['kubectl nodeip status', run],
    ['kubectl nodeip audit', run],
    ['kubectl nodeip compare', run],
    ['ln -sf "$PWD/packages/kubectl-nodeip/bin/kubectl_complete-nodeip"', run],
  ],
  'docs/guides/write-a-controller.md': [
    [
      'REQUIRE_CONTROL_PLANE=1 npm test -- test/integration/example-controller.test.ts',
      runBy('test/integration/example-controller.test.ts'),
    ],
  ],
};

/** How the tests treat the block with this number. */
export function treatmentOf(page: string, index: number): Block | undefined {
  const blocks = commandBlocks[page];
  return blocks === 'all' ? ['', run] : blocks?.[index];
}

/** A block on one line: continued lines joined, blanks squeezed. */
export function onOneLine(commands: string): string {
  return commands.replaceAll(/\\\n/g, ' ').replaceAll(/\s+/g, ' ').trim();
}
