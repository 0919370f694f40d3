/**
 * What the shipped program does not start with: it says in one line what is wrong and what to do, ends
 * with 2, and has done nothing.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createAccount, tokenFor } from '../serving/cluster.ts';
import { ManagerProcess } from '../manager/manager-process.ts';
import type { Scenario } from '../manager/scenario.ts';
import { useInstallation } from '../manager/installation.ts';
import { aPort, servingFiles } from './operated.ts';

interface Setting {
  readonly scenario: Scenario;
  readonly cert: string;
  readonly key: string;
  /** Of another certificate. */
  readonly otherKey: string;
  readonly garbage: string;
  readonly takenPort: number;
}

interface Case {
  readonly title: string;
  readonly flags: (setting: Setting) => Promise<readonly string[]> | readonly string[];
  /** What its errors have in them. */
  readonly says: (setting: Setting) => readonly string[];
}

const cases: readonly Case[] = [
  {
    title: 'a port that is taken',
    flags: ({ takenPort }) => [`--secure-port=${takenPort}`],
    says: ({ takenPort }) => [`127.0.0.1 port ${takenPort} (EADDRINUSE)`, '--secure-port'],
  },
  {
    title: 'an address that is not of this machine',
    flags: () => ['--bind-address=203.0.113.77'],
    says: () => ['203.0.113.77', '--bind-address'],
  },
  {
    title: 'a certificate and a key that do not match, by both names',
    flags: ({ cert, otherKey }) => [
      `--tls-cert-file=${cert}`,
      `--tls-private-key-file=${otherKey}`,
    ],
    says: ({ cert, otherKey }) => [cert, otherKey, 'do not match'],
  },
  {
    title: 'a certificate without its key',
    flags: ({ cert }) => [`--tls-cert-file=${cert}`],
    says: () => ['--tls-cert-file requires --tls-private-key-file'],
  },
  {
    title: 'a certificate that is not there',
    flags: ({ key }) => ['--tls-cert-file=/nowhere/tls.crt', `--tls-private-key-file=${key}`],
    says: () => ['/nowhere/tls.crt does not exist'],
  },
  {
    title: 'a key that is none, without a word of it',
    flags: ({ cert, garbage }) => [`--tls-cert-file=${cert}`, `--tls-private-key-file=${garbage}`],
    says: ({ garbage }) => [garbage, 'no readable private key'],
  },
  {
    title: 'a pair for a name that does not match',
    flags: ({ cert, otherKey }) => [`--tls-sni-cert-key=${cert},${otherKey}:example.com`],
    says: ({ cert, otherKey }) => [cert, otherKey, 'do not match'],
  },
  {
    title: 'ciphers, versions and curves that cannot be had',
    flags: () => [
      '--tls-cipher-suites=TLS_NO_SUCH_CIPHER',
      '--tls-min-version=VersionTLS10',
      '--tls-curve-preferences=999',
    ],
    says: () => ['TLS_NO_SUCH_CIPHER', 'VersionTLS10', '999'],
  },
  {
    title: 'authorities of clients that are none',
    flags: ({ garbage }) => [`--client-ca-file=${garbage}`],
    says: ({ garbage }) => [garbage],
  },
  ...['config', 'cloud-config', 'kubeconfig', 'authentication-kubeconfig'].map((flag) => ({
    title: `a file that is not there for --${flag}, in the words of all such flags`,
    flags: () => [`--${flag}=/nowhere/file`],
    says: () => [`error: --${flag}: /nowhere/file does not exist. Check the path.`],
  })),
  {
    title: 'reviews as somebody who may not look up the authorities, with what to bind',
    async flags({ scenario }) {
      const account = await createAccount(scenario.controlPlane, 'may-not-review');
      const token = await tokenFor(scenario.controlPlane, account);
      return [`--authentication-kubeconfig=${await scenario.kubeconfig({ token })}`];
    },
    says: () => ['403', 'extension-apiserver-authentication-reader'],
  },
  {
    title: 'what upstream has and it has not, with what to do instead',
    flags: () => ['--enable-leader-migration=true', '--webhooks=*'],
    says: () => ['--enable-leader-migration', '--webhooks'],
  },
  {
    title: 'pod CIDRs to allocate and no range to take them from',
    flags: () => ['--allocate-node-cidrs=true'],
    says: () => ['--allocate-node-cidrs: there is no range to allocate from'],
  },
];

describe('the shipped program does not start with', function () {
  this.timeout(60_000);
  const { open, installation } = useInstallation();
  let setting: Setting;
  let taken: Server;

  before(async function () {
    this.timeout(60_000);
    const scenario = await open();
    const { certFile: cert, keyFile: key } = await servingFiles(scenario.directory, 'one');
    const { keyFile: otherKey } = await servingFiles(scenario.directory, 'other');
    const garbage = join(scenario.directory, 'garbage.pem');
    await writeFile(garbage, `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`);
    const takenPort = await aPort();
    taken = createServer().listen(takenPort, '127.0.0.1');
    await once(taken, 'listening');
    setting = { scenario, cert, key, otherKey, garbage, takenPort };
  });

  after(async () => {
    taken?.close();
    await setting?.scenario[Symbol.asyncDispose]();
  });

  for (const { title, flags, says } of cases) {
    it(title, async () => {
      const { scenario } = setting;
      const given = [
        '--cloud-provider=static',
        `--cloud-config=${scenario.inventory.path}`,
        `--kubeconfig=${await scenario.kubeconfig()}`,
        '--bind-address=127.0.0.1',
        `--secure-port=${await aPort()}`,
        ...(await flags(setting)),
      ];
      const manager = new ManagerProcess(installation().bundle, given);
      const { code } = await manager.ended();
      assert.deepEqual({ code, stdout: manager.stdout }, { code: 2, stdout: '' }, manager.stderr);
      const errors = manager.stderr.split('\n').filter((line) => line.startsWith('error: '));
      const lines = manager.stderr.trimEnd().split('\n');
      assert.equal(lines.at(-1), errors.at(-1), 'the last words');
      // What collects the logs of control planes finds a line of klog's by this.
      const klog = /^\w\d{4} \S*\s+\d+\s+[^ \]]+\] "/;
      const others = lines.filter((line) => !line.startsWith('error: ') && !klog.test(line));
      assert.deepEqual(others, []);
      for (const wanted of says(setting)) {
        assert.ok(
          errors.some((line) => line.includes(wanted)),
          `${wanted} is not in\n${manager.stderr}`,
        );
      }
      assert.ok(!manager.stderr.includes(secret), 'what is in a file was quoted');
      assert.equal(await scenario.leaseHolder(), '', 'it led before it was refused');
    });
  }
});

const secret = 'bm90IGEga2V5IGF0IGFsbCwgYnV0IGEgc2VjcmV0';
