import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readKepRows } from '../../../../test/support/vectors.ts';
import { type Ran, runInMemory } from '../run-in-memory.fixture.ts';

const explain = (...args: string[]): Promise<Ran> => runInMemory(['explain', ...args]);
const cloud = ['--cloud-address', 'InternalIP=10.0.0.1', '--cloud-address', 'InternalIP=fd00::1'];

describe('kubectl nodeip explain', () => {
  it('shows the request, the addresses of the cloud, each step and the result as text', async () => {
    const { exitCode, output } = await explain('--request', 'IPv6,IPv4', ...cloud);
    assert.equal(exitCode, 0);
    assert.equal(
      output,
      `Request   "IPv6,IPv4" from --request
Cloud     InternalIP  10.0.0.1
          InternalIP  fd00::1
Steps     1. request "IPv6,IPv4" from --request
          2. IPv6 matches InternalIP fd00::1, the first InternalIP of that family
          3. IPv4 matches InternalIP 10.0.0.1, the first InternalIP of that family
          4. consumers see DS IPv6-primary: fd00::1 and 10.0.0.1
Result    DS IPv6-primary
          InternalIP  fd00::1
          InternalIP  10.0.0.1
`,
    );
  });

  it('exits with 3 and says why when the request is refused', async () => {
    const { exitCode, output } = await explain('--request', '10.0.0.9', ...cloud);
    assert.equal(exitCode, 3);
    assert.match(
      output,
      /^Refused {3}AddressNotFound\n {10}Requested address 10\.0\.0\.9 is not an address of the instance\. The cloud reports only/m,
    );
  });

  it('has the documented fields with -o json, and the same ones with YAML', async () => {
    const args = ['--request', '::1,', ...cloud, '--exclude', 'fd00::/64'];
    const json = JSON.parse((await explain(...args, '-o', 'json')).output);
    assert.deepEqual(Object.keys(json), [
      'request',
      'cloud',
      'excluded',
      'addresses',
      'stack',
      'error',
      'steps',
    ]);
    assert.deepEqual(json.request, { value: '::1,', source: '--request' });
    assert.deepEqual(json.excluded, [
      { type: 'InternalIP', address: 'fd00::1', reason: '--exclude fd00::/64' },
    ]);
    assert.deepEqual([json.addresses, json.stack, json.error.code], [null, null, 'InvalidSyntax']);
    const { parse } = await import('yaml');
    assert.deepEqual(parse((await explain(...args, '--output=yaml')).output), json);
  });

  it('explains what the kubelet does with --node-ip', async () => {
    const ask = async (...args: string[]) => {
      const { exitCode, output } = await explain(...args, ...cloud, '-o', 'json');
      const { request, stack, kubelet } = JSON.parse(output);
      return { exitCode, request: request?.value ?? null, stack, kubelet };
    };
    assert.deepEqual(await ask('--node-ip', ' IPv6 '), {
      exitCode: 0,
      request: 'IPv6',
      stack: 'SS IPv6',
      kubelet: { annotation: 'IPv6', ignored: [], refused: null },
    });
    assert.deepEqual(await ask('--node-ip', 'IPv6', '--kubelet', 'released'), {
      exitCode: 0,
      request: null,
      stack: 'DS IPv4-primary',
      kubelet: { annotation: null, ignored: ['IPv6'], refused: null },
    });
    const refused = await ask('--node-ip', '10.0.0.1,10.0.0.2');
    assert.deepEqual([refused.exitCode, refused.request, refused.stack], [3, null, null]);
    assert.match(refused.kubelet.refused, /dual-stack pair/);
  });

  it('treats an empty --request as a request, and an empty --node-ip as none', async () => {
    assert.match((await explain('--request', '', ...cloud)).output, /InvalidSyntax/);
    assert.match((await explain('--request=', ...cloud)).output, /InvalidSyntax/);
    assert.match((await explain('--node-ip=', ...cloud)).output, /Result {4}DS IPv4-primary/);
  });

  it('applies the feature gate and exclusions by type', async () => {
    const gated = await explain(
      '--request',
      'IPv4',
      '--feature-gates',
      'CloudNodeIPs=false',
      ...cloud,
    );
    assert.match(gated.output, /FeatureDisabled/);
    const kept = await explain('--request', 'IPv4', '--exclude', 'ExternalIP=10.0.0.1', ...cloud);
    assert.match(kept.output, /SS IPv4/);
  });

  it('never prints raw control characters, and uses colours only on a terminal', async () => {
    const hostile = '\u001b[31m\u009b1m\u202eIPv4';
    for (const format of ['text', 'json', 'yaml']) {
      const { output } = await explain(
        '--request',
        hostile,
        '--cloud-address',
        `Hostname=${hostile}`,
        '-o',
        format,
      );
      assert.match(output, /^[\n -~…]*$/u, format);
    }
    const coloured = await runInMemory(['explain', ...cloud], { hasColour: true });
    assert.ok(coloured.output.includes('\u001b[32mDS IPv4-primary\u001b[39m'));
  });

  it('prints every row of the KEP’s tables', async () => {
    const { output, exitCode } = await explain('--kep-tables');
    const rows = output
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| -'));
    const cells = rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
    const want = readKepRows().map(({ nodeIP, annotation, addresses, stack }) => [
      nodeIP ?? '(none)',
      annotation ?? '(unset)',
      addresses && `[${addresses.map((text) => `"${text}"`).join(', ')}] (${stack})`,
    ]);
    const got = cells.filter(([title]) => title !== '--node-ip');
    assert.equal(exitCode, 0);
    assert.deepEqual(
      got.map((row) => [row[0], row[1], row[2]?.startsWith('refused') ? null : row[2]]),
      want,
    );
  });

  const bad: { name: string; args: string[]; want: RegExp }[] = [
    { name: 'an unknown option', args: ['--reqest', 'IPv4'], want: /unknown option --reqest/ },
    {
      name: 'a cloud address without a type',
      args: ['--cloud-address', '10.0.0.1'],
      want: /--cloud-address "10\.0\.0\.1" has no type: expected TYPE=ADDRESS/,
    },
    {
      name: 'a cloud address with only a type',
      args: ['--cloud-address', 'InternalIP'],
      want: /--cloud-address "InternalIP" has no address: expected TYPE=ADDRESS/,
    },
    {
      name: 'a cloud address of an unknown type',
      args: ['--cloud-address', 'InternalIp=10.0.0.1'],
      want: /unknown type "InternalIp": expected InternalIP, ExternalIP/,
    },
    {
      name: 'a cloud address without an address',
      args: ['--cloud-address', 'InternalIP='],
      want: /has no address/,
    },
    {
      name: 'a malformed exclusion',
      args: ['--exclude', '10.0.0.1/8'],
      want: /--exclude "10\.0\.0\.1\/8" has bits set beyond its prefix length; the network is 10\.0\.0\.0\/8/,
    },
    {
      name: 'an unknown gate',
      args: ['--feature-gates', 'CloudNodeIP=true'],
      want: /expected CloudNodeIPs=true or CloudNodeIPs=false/,
    },
    {
      name: 'an unknown output',
      args: ['-o', 'xml'],
      want: /--output "xml" is not one of text, json, yaml/,
    },
    {
      name: 'an unknown kubelet',
      args: ['--node-ip', 'IPv4', '--kubelet', 'old'],
      want: /--kubelet "old" is not one of kep, released/,
    },
    {
      name: 'an option without its value',
      args: ['--request'],
      want: /--request requires a value/,
    },
    {
      name: 'an option in place of a value',
      args: ['--request', '--batch'],
      want: /--request requires a value/,
    },
    {
      name: 'an empty exclusion',
      args: ['--exclude', ''],
      want: /--exclude "" is neither a network/,
    },
    {
      name: 'an exclusion of an unknown type',
      args: ['--exclude', 'Ip=10.0.0.1'],
      want: /unknown type "Ip"/,
    },
    { name: 'a switch with a value', args: ['--batch=yes'], want: /--batch takes no value/ },
    {
      name: 'an option given twice',
      args: ['--request', 'a', '--request', 'b'],
      want: /--request is given more than once/,
    },
    {
      name: 'both --request and --node-ip',
      args: ['--request', 'IPv4', '--node-ip', 'IPv4'],
      want: /give one of them/,
    },
    {
      name: 'a kubelet without a --node-ip',
      args: ['--kubelet', 'kep'],
      want: /--kubelet requires --node-ip or --batch/,
    },
    {
      name: 'a batch with a request',
      args: ['--batch', '--request', 'IPv4'],
      want: /--request cannot be combined with --batch/,
    },
    {
      name: 'a batch with YAML output',
      args: ['--batch', '-o', 'yaml'],
      want: /cannot be combined with --batch/,
    },
    {
      name: 'tables with a request',
      args: ['--kep-tables', '--request', 'IPv4'],
      want: /--request cannot be combined with --kep-tables/,
    },
    {
      name: 'a request for a node, which has its own',
      args: ['node-0', '--request', 'IPv4'],
      want: /--request cannot be combined with the name of a node/,
    },
    {
      name: 'a word that is not the name of a node',
      args: ['../pods'],
      want: /"\.\.\/pods" is not the name of a node/,
    },
    {
      name: 'two nodes',
      args: ['node-0', 'node-1'],
      want: /unexpected argument "node-1": explain takes one node/,
    },
    {
      name: 'an empty command line',
      args: [],
      want: /^error: nothing to explain: expected a NODE, or --cloud-address TYPE=ADDRESS$/m,
    },
    {
      name: 'an output format alone',
      args: ['-o', 'json'],
      want: /nothing to explain: expected a NODE/,
    },
    {
      name: 'the address of a manager without a node',
      args: ['--manager', 'https://127.0.0.1:10258'],
      want: /--manager requires the name of a node/,
    },
  ];
  for (const { name, args, want } of bad) {
    it(`refuses ${name} with exit code 2`, async () => {
      const { exitCode, output, errors } = await explain(...args);
      assert.equal(exitCode, 2);
      assert.equal(output, '');
      assert.match(errors, want);
    });
  }

  it('quotes little of a hostile command line, and none of its control characters', async () => {
    const hostile = `\u001b[31m\u009b\u202e${'x'.repeat(100_000)}`;
    for (const args of [
      [`--${hostile}`],
      [hostile],
      ['-o', hostile],
      ['--kubelet', hostile],
      ['--cloud-address', hostile],
      ['--exclude', hostile],
      ['--feature-gates', hostile],
    ]) {
      const { exitCode, errors } = await explain(...args);
      assert.equal(exitCode, 2);
      assert.match(errors, /^[\n -~…]{1,1000}$/u);
    }
    assert.match((await runInMemory([hostile])).errors, /^[\n -~…]{1,300}$/u);
  });

  it('accepts -o=json, as kubectl does', async () => {
    assert.equal(JSON.parse((await explain('-o=json', ...cloud)).output).stack, 'DS IPv4-primary');
  });

  it('shows excluded addresses and a kubelet that does not start as text', async () => {
    const excluded = await explain('--exclude', '10.0.0.1', ...cloud);
    assert.match(
      excluded.output,
      /^Excluded {2}InternalIP {2}10\.0\.0\.1 {2}--exclude 10\.0\.0\.1$/m,
    );
    const refused = await runInMemory(['explain', '--node-ip', '10.0.0.1,10.0.0.2', ...cloud], {
      hasColour: true,
    });
    assert.ok(refused.output.includes('\u001b[31mthe kubelet does not start\u001b[39m'));
    assert.match(
      refused.output,
      /dual-stack pair of IPs\. Give the kubelet one address, or one of each family\./,
    );
    const withheld = await explain('--node-ip', 'fe80::1', ...cloud);
    assert.match(
      withheld.output,
      /the kubelet starts but writes no annotation: fe80::1 is a link-local address/,
    );
  });

  it('repeats the exact request in YAML and JSON', async () => {
    const { parse } = await import('yaml');
    const texts = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '\t', '"', '\\', '\u0085', 'é', ':', '#'),
      maxLength: 120,
    });
    await fc.assert(
      fc.asyncProperty(texts, async (value) => {
        const json = JSON.parse((await explain(`--request=${value}`, '-o', 'json')).output);
        const yaml = parse((await explain(`--request=${value}`, '-o', 'yaml')).output);
        assert.deepEqual([json.request.value, yaml.request.value], [value, value]);
      }),
      { numRuns: 300 },
    );
  });

  it('reports all problems at once', async () => {
    const { errors } = await explain('--nope', '--cloud-address', 'x', '-o', 'xml');
    assert.equal(errors.match(/^error: /gm)?.length, 3);
  });

  it('documents every option in --help', async () => {
    const { exitCode, output } = await explain('--help');
    assert.equal(exitCode, 0);
    for (const name of [
      'request',
      'node-ip',
      'kubelet',
      'cloud-address',
      'exclude',
      'feature-gates',
      'output',
      'batch',
      'kep-tables',
      'context',
      'kubeconfig',
      'manager',
      'help',
    ]) {
      assert.ok(output.includes(`--${name}`), name);
    }
    for (const line of output.split('\n')) assert.ok(line.length <= 100, line);
  });
});

describe('kubectl nodeip', () => {
  it('prints help, and refuses a missing or unknown command', async () => {
    assert.match((await runInMemory(['--help'])).output, /explain/);
    assert.match((await runInMemory([])).errors, /missing command/);
    const unknown = await runInMemory(['explian']);
    assert.deepEqual([unknown.exitCode, unknown.output], [2, '']);
    assert.match(unknown.errors, /unknown command "explian"/);
  });
});
