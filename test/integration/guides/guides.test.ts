/**
 * Types the commands of the pages as a reader would: the bare-metal guide from its first block to its last, and on the
 * control plane that it starts, those of all other pages that need no cloud and no machine. `command-blocks.ts` says
 * which those are. What the pages show as output has to come.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemEnvironment } from '@tandem/runtime';
import { goProgramOrSkip, goPrograms } from '../../support/go-program.ts';
import { eventually, findPrograms } from '../../control-plane/index.ts';
import { requirePrograms } from '../../control-plane/mocha.ts';
import { freePorts } from '../../control-plane/ports.ts';
import { commandBlocks, onOneLine, treatmentOf } from '../../support/guides/command-blocks.ts';
import { fences, readGuide, showsLines, type Step } from '../../support/guides/read-guide.ts';
import { Reader, root } from './reader.ts';
import type { Terminal } from './terminal.ts';

const bareMetal = 'docs/guides/bare-metal.md';
const runTheManager = 'docs/guides/run-the-manager.md';
const podCIDRs = 'docs/guides/pod-cidrs.md';
const routes = 'docs/guides/routes.md';
const plugin = 'docs/guides/use-the-plugin.md';

/** Commands that only look may be typed again until they show what they should. */
const looks = /^(?:kubectl get .*\n?)+$/;

describe('the commands of the guides', function () {
  this.timeout(180_000);
  // Each page goes on from the cluster that the one before has left.
  this.bail(true);
  const environment: Record<string, string | undefined> = { ...systemEnvironment() };
  const programs: Record<string, string> = {};
  const typed = new Set<string>();
  let busy: Terminal | undefined;
  let kubeconfig: string;
  let reader: Reader;

  before(async function () {
    await requirePrograms(this);
    const [kubectl = ''] = await findPrograms(['kubectl']);
    const helm = await goProgramOrSkip(this, goPrograms.helm);
    const kubeadm = await goProgramOrSkip(this, goPrograms.kubeadm);
    Object.assign(programs, { kubectl, helm, kubeadm });
  });

  after(async () => {
    await reader?.[Symbol.asyncDispose]();
    await busy?.[Symbol.asyncDispose]();
  });

  it('for bare metal lead to nodes with both families', async () => {
    const steps = readGuide(await readFile(join(root, bareMetal), 'utf8'));
    for (const { line } of steps) typed.add(`${bareMetal}:${line}`);
    const [first, ...others] = steps;
    assert.ok(first?.ownTerminal, 'the page begins with a control plane');
    assert.ok(others.length >= 10, `only ${others.length} blocks of commands were found`);
    reader = await Reader.start({ environment, programs, typed });
    busy = reader.open();
    busy.type(`${first.commands}\n`);
    const introduction = await busy.shows('Press Ctrl-C');
    const [copied = '', path = ''] = /^export KUBECONFIG=(.+)$/m.exec(introduction) ?? [];
    kubeconfig = path.replaceAll(/["']/g, '');
    await using terminal = reader.open();
    await terminal.run(copied);
    for (const step of others) await follow(step, terminal);
    await reader.useCluster(kubeconfig);
  });

  it('come with files that kubeadm accepts, on its page', async () => {
    const [init = '', node = '', ...more] = blocksOf('docs/guides/kubeadm.md', 'yaml');
    assert.deepEqual(more, []);
    const joined = node.replace('TOKEN', 'abcdef.0123456789abcdef').replace('HASH', '0'.repeat(64));
    await reader.write('kubeadm.yaml', init);
    await reader.write('join.yaml', joined);
    await reader.write('wrong.yaml', init.replace('podSubnet:', 'podSubnets:'));
    // Without a version in the file, kubeadm would look up the latest one on the internet.
    await reader.type('export HTTPS_PROXY=http://127.0.0.1:1');
    for (const file of ['kubeadm.yaml', 'join.yaml']) {
      assert.match(await reader.type(`kubeadm config validate --config ${file}`), /^ok$/m);
    }
    const refused = await reader.type('kubeadm config validate --config wrong.yaml || true');
    assert.match(refused, /strict decoding error: unknown field "networking\.podSubnets"/);
    await reader.type('unset HTTPS_PROXY');
  });

  it('install the chart, upgrade it and roll it back', async () => {
    await reader.write('inventory.yaml', inventory());
    const pages = [
      'README.md',
      'manifests/chart/README.md',
      'docs/guides/kubeadm.md',
      runTheManager,
    ];
    const blocks = pages.map((page) => onOneLine(reader.take(page, 'helm install').commands));
    assert.deepEqual([...new Set(blocks)], [blocks[0]], 'all pages have the same commands');
    await reader.run(runTheManager, 'helm install');
    await reader.run('docs/guides/upgrades.md', 'helm upgrade', { replace: { NEW: '1.2.3' } });
    await reader.run('docs/guides/upgrades.md', 'helm rollback');
    const image = await reader.type(
      `kubectl -n kube-system get deployment cloud-controller-manager -o jsonpath='{.spec.template.spec.containers[0].image}'`,
    );
    assert.match(image, /^registry\.example\.com\/.*:(?!1\.2\.3$)/);
  });

  it('tell what a dry run would change', async () => {
    await reader.type('kubectl annotate node node-0 tandem.dev/node-ip-');
    await using running = reader.begin(runTheManager, '--dry-run');
    await running.shows('"Would write');
  });

  it('give nodes pod CIDRs', async () => {
    const look = await reader.run(podCIDRs, '--dry-run --once', { exitCode: 3 });
    assert.match(look, /would assign pod CIDRs/);
    await reader.type(`kubectl create -f - <<'END'\n${node7}\nEND`);
    await using running = reader.begin(podCIDRs, '--cluster-cidr=10.244.0.0/16,', {
      more: '--secure-port=0',
    });
    const columns = `-o jsonpath='{range .items[*]}{.spec.podCIDRs}{"\\n"}{end}'`;
    const assigned = async (): Promise<boolean> => {
      const lines = await reader.type(`kubectl get nodes ${columns}`);
      return (
        lines.includes('["10.244.0.0/24","fd00:10:244::/64"]') &&
        lines.includes('["10.244.1.0/24","fd00:10:244:1::/64"]') &&
        lines.includes('10.244.2.0/24')
      );
    };
    await eventually(assigned, { withinMs: 60_000 });
    const drained = await reader.run(podCIDRs, 'kubectl drain');
    assert.match(drained, /^ssh node-7 sudo systemctl restart kubelet$/m);
    // Without kube-controller-manager, grep finds no line.
    const found = await reader.run(podCIDRs, 'component=kube-controller-manager', { exitCode: 1 });
    assert.equal(found, 'exit code 1\n');
    assert.ok(running);
  });

  it('plan routes, and hand them to BIRD and FRR', async () => {
    const site = reader.directory;
    const table = join(site, 'routes.json');
    await reader.write('inventory.yaml', `${inventory()}routeTable: { file: ${table} }\n`);
    await using running = reader.begin(routes, '--dry-run');
    await running.shows('"Would change a route"');
    await reader.write('routes.json', blockOf(routes, 'json'));
    await reader.write('frr.base.conf', 'hostname router\n');
    const replace = { '/var/lib/tandem/routes.json': table, '/etc/bird': site };
    assert.match(await reader.run(routes, 'birdc', { replace }), /^birdc configure$/m);
    const file = (name: string): string => readFileSync(join(site, name), 'utf8');
    assert.equal(file('pods4.conf'), 'route 10.244.0.0/24 via 10.0.0.1;\n');
    assert.equal(file('pods6.conf'), 'route fd00:10:244::/64 via fd00::1;\n');
    const frr = {
      '/var/lib/tandem/routes.json': table,
      '/etc/frr': site,
      '/usr/lib/frr/frr-reload.py': 'echo frr-reload',
    };
    assert.match(
      await reader.run(routes, 'frr.base.conf', { replace: frr }),
      /^frr-reload --reload /m,
    );
    assert.equal(
      file('frr.conf'),
      'hostname router\nip route 10.244.0.0/24 10.0.0.1\nipv6 route fd00:10:244::/64 fd00::1\n',
    );
    await reader.write('inventory.yaml', inventory());
  });

  it('read the pages of the manager, and ask it by the plugin', async () => {
    const [port = 0] = await freePorts(1);
    const more = `--secure-port=${port} --cert-dir=.`;
    await using running = reader.begin(runTheManager, '--authentication-kubeconfig', { more });
    await running.shows('"Became leader"');
    const address = { 'HOST:10258': `127.0.0.1:${port}` };
    const set = await reader.run(runTheManager, 'tandem-verbosity', { replace: address });
    assert.match(set, /successfully set .* to 4/);
    await reader.run(runTheManager, 'tandem-pages');
    await reader.run('docs/guides/single-to-dual-stack.md', 'kubectl get node node-0');
    await reader.run(runTheManager, 'kubectl describe node node-1');
    await reader.run(routes, 'kubectl describe node node-1');
    await reader.run('docs/guides/troubleshooting.md', 'kubectl describe node node-0');

    await reader.type('ln -sf "$PWD/packages/kubectl-nodeip/bin/kubectl-nodeip" ~/.local/bin/');
    const shown = await reader.run(plugin, 'kubectl nodeip status', {
      replace: { NODE: 'node-0' },
    });
    assert.match(shown, /^node-0 /m);
    // This leader is no pod, so that there is nothing to forward a port of.
    const audit = await reader.run(plugin, 'kubectl nodeip audit', { exitCode: 4 });
    assert.match(audit, /^No breach found\..* Not checked: addresses against the cloud/m);
    const compared = await reader.run(plugin, 'kubectl nodeip compare', {
      replace: { '127.0.0.1:10258': `127.0.0.1:${port}`, 'ca.crt': 'cloud-controller-manager.crt' },
    });
    assert.match(compared, /^Nodes compared: 2\. Changes and refusals: 0\./);
    await reader.run(plugin, 'kubectl_complete-nodeip');
    const completed = await reader.type('kubectl __complete nodeip st');
    assert.match(completed, /^status$/m);
  });

  it('write an inventory of the nodes that another manager has initialised', async () => {
    const replace = { 'openstack://': 'static://' };
    await reader.run('docs/guides/from-upstream.md', 'prefix=', { replace });
    const look = await reader.type(
      'npx cloud-controller-manager --cloud-provider=static --cloud-config=inventory.yaml --kubeconfig="$HOME/.kube/config" --controllers=cloud-node --dry-run --once',
    );
    assert.match(look, /^Dry run: 0 of \d+ nodes would change$/m);
    const { instances } = JSON.parse(
      readFileSync(join(reader.directory, 'inventory.yaml'), 'utf8'),
    );
    assert.deepEqual(
      instances.map(({ name }: { name: string }) => name),
      ['node-0', 'node-1'],
    );
  });

  it('were all run that command-blocks.ts lists as run', () => {
    const counts = { run: 0, runBy: 0, parsed: 0, listed: 0 };
    const left: string[] = [];
    for (const page of Object.keys(commandBlocks)) {
      for (const [index, { line }] of readGuide(readFileSync(join(root, page), 'utf8')).entries()) {
        const treatment = treatmentOf(page, index)?.[1];
        assert.ok(treatment !== undefined, `${page}:${line}`);
        counts[treatment.how] += 1;
        if (treatment.how === 'run' && !typed.has(`${page}:${line}`)) left.push(`${page}:${line}`);
        if (treatment.how === 'listed' || treatment.how === 'parsed') {
          process.stderr.write(`Not run: ${page}:${line}: ${treatment.why}\n`);
        }
      }
    }
    process.stderr.write(`Blocks of commands: ${JSON.stringify(counts)}\n`);
    assert.deepEqual(left, []);
  });
});

/** That of the page, with a second machine. */
function inventory(): string {
  const second = [
    '  - name: node-1',
    '    addresses:',
    '      - { type: InternalIP, address: 10.0.0.2 }',
    '      - { type: InternalIP, address: "fd00::2" }',
    '',
  ];
  return `${blockOf(runTheManager, 'yaml')}\n${second.join('\n')}`;
}

const node7 = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-7' },
});

function blockOf(page: string, language: string): string {
  const [found] = blocksOf(page, language);
  assert.ok(found !== undefined, `${page} has no ${language}`);
  return found;
}

function blocksOf(page: string, language: string): string[] {
  const all = [...fences(readFileSync(join(root, page), 'utf8'))];
  return all.filter((each) => each.language === language).map(({ body }) => body);
}

async function follow({ line, commands, expected }: Step, terminal: Terminal): Promise<void> {
  let output = await terminal.run(commands);
  if (looks.test(commands)) {
    const look = async (): Promise<boolean> => {
      if (showsLines(output, expected)) return true;
      output = await terminal.run(commands);
      return false;
    };
    await eventually(look, { withinMs: lookMsMax }).catch(() => {});
  }
  const shown = `${bareMetal}:${line} shows\n${output}\nin place of\n${expected.join('\n')}`;
  assert.ok(showsLines(output, expected), shown);
}

/** A refused node is looked up again every minute. */
const lookMsMax = 75_000;
