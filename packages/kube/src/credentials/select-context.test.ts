import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { parse, stringify } from 'yaml';
import { CredentialsError } from './credentials.ts';
import { mergeKubeconfigs, parseKubeconfig } from './parse-kubeconfig.ts';
import { selectContext } from './select-context.ts';
import type { ConnectionSettings } from './settings.ts';

const file = '/etc/tandem/kubeconfig';
const files = `The kubeconfig ${file}`;

/** A valid kubeconfig with some parts replaced. */
function aKubeconfig({
  cluster = {},
  user = {},
  ...rest
}: {
  cluster?: object;
  user?: object;
  [name: string]: unknown;
}): string {
  return stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443', ...cluster } }],
    users: [{ name: 'jane', user: { token: 't', ...user } }],
    contexts: [{ name: 'work', context: { cluster: 'c', user: 'jane' } }],
    'current-context': 'work',
    ...rest,
  });
}

function select(text: string, context?: string): ConnectionSettings {
  return selectContext(parseKubeconfig(text, file), { files, context });
}

describe('the context of a kubeconfig', () => {
  it('gives the server and the token of the user', () => {
    const { server, token, isVerified } = select(aKubeconfig({}));
    assert.equal(server, 'https://10.0.0.1:6443');
    assert.equal(isVerified, true);
    assert.deepEqual(token, {
      kind: 'inline',
      text: 't',
      where: `users["jane"].token in ${file}`,
    });
  });

  it('resolves paths relative to the kubeconfig that contains them', () => {
    const user = {
      'client-certificate': 'tls/jane.crt',
      'client-key': '/keys/jane.key',
      tokenFile: 'token',
    };
    const settings = select(
      aKubeconfig({ cluster: { 'certificate-authority': '../ca.crt' }, user }),
    );
    const paths = [settings.ca, settings.cert, settings.key, settings.token].map((source) =>
      source?.kind === 'file' ? source.path : undefined,
    );
    assert.deepEqual(paths, [
      '/etc/ca.crt',
      '/etc/tandem/tls/jane.crt',
      '/keys/jane.key',
      '/etc/tandem/token',
    ]);
  });

  it('takes over the fields of a map that is merged, as kubectl does', () => {
    const text = aKubeconfig({}).replace('token: t', '<<: { token: merged }');
    const { token } = select(text);
    assert.equal(token?.kind === 'inline' && token.text, 'merged');
  });

  it('keeps the path of a server behind a gateway, without a trailing slash', () => {
    const server = 'https://gateway.example/k8s/clusters/c-1/';
    assert.equal(select(aKubeconfig({ cluster: { server } })).server, server.slice(0, -1));
  });

  it('skips verification if insecure-skip-tls-verify is set', () => {
    const cluster = { 'insecure-skip-tls-verify': true };
    assert.equal(select(aKubeconfig({ cluster })).isVerified, false);
  });

  it('gives the impersonation headers of its user', () => {
    const user = {
      as: 'joe',
      'as-uid': '7',
      'as-groups': ['a', 'b'],
      'as-user-extra': { 'Example.com/Scope': ['x'] },
    };
    assert.deepEqual(select(aKubeconfig({ user })).headers, {
      'impersonate-user': 'joe',
      'impersonate-uid': '7',
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-example.com%2Fscope': ['x'],
    });
  });

  it('can be another than the current context', () => {
    const contexts = [{ name: 'other', context: { cluster: 'c', user: 'jane' } }];
    assert.equal(select(aKubeconfig({ contexts }), 'other').server, 'https://10.0.0.1:6443');
  });

  it('is rejected, with the existing names, if the named context does not exist', () => {
    assert.throws(() => select(aKubeconfig({}), 'home'), {
      message: `${files} has no context "home". Name one of its contexts (work).`,
    });
  });

  it('takes each value from the first of several files that has it', () => {
    const first = aKubeconfig({ users: [], 'current-context': '' });
    const second = aKubeconfig({
      cluster: { server: 'https://10.9.9.9' },
      user: { token: 'second' },
    });
    const merged = mergeKubeconfigs([parseKubeconfig(first, '/1'), parseKubeconfig(second, '/2')]);
    const { server, token } = selectContext(merged, { files: '/1, /2', context: undefined });
    assert.equal(server, 'https://10.0.0.1:6443');
    assert.deepEqual(token, { kind: 'inline', text: 'second', where: 'users["jane"].token in /2' });
  });

  it('resolves the command of an exec plugin relative to the kubeconfig', () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: './bin/login',
      args: ['--quiet'],
      env: [{ name: 'PROFILE', value: 'work' }],
      provideClusterInfo: true,
    };
    const settings = select(aKubeconfig({ user: { exec } })).exec;
    assert.equal(settings?.command, '/etc/tandem/bin/login');
    assert.deepEqual(settings?.env, { PROFILE: 'work' });
    assert.deepEqual(settings?.cluster, { server: 'https://10.0.0.1:6443' });
  });

  it('uses another server address, passes it to the exec plugin, and drops tls-server-name', () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: 'login',
      provideClusterInfo: true,
    };
    const cluster = { server: 'nonsense', 'tls-server-name': 'first.example' };
    const kubeconfig = parseKubeconfig(aKubeconfig({ cluster, user: { exec } }), file);
    const server = 'https://10.9.9.9';
    const settings = selectContext(kubeconfig, { files, server });
    assert.equal(settings.server, server);
    assert.equal(settings.serverName, undefined);
    assert.deepEqual(settings.exec?.cluster, { server });
  });

  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login' };
  const bad: { name: string; given: string; says: RegExp }[] = [
    {
      name: 'invalid YAML',
      given: 'a: [',
      says: /\/etc\/tandem\/kubeconfig is not valid YAML: .* at line 1/,
    },
    { name: 'a text instead of a map', given: 'hello', says: /kubeconfig is not a map/ },
    { name: 'an empty file', given: '', says: /has no current-context.*\(it has none\)/ },
    {
      name: 'no current context',
      given: aKubeconfig({ 'current-context': '' }),
      says: /has no current-context.*\(work\)/,
    },
    {
      name: 'a context that does not exist',
      given: aKubeconfig({ 'current-context': 'home' }),
      says: /has no context "home".*\(work\)/,
    },
    {
      name: 'a cluster that does not exist',
      given: aKubeconfig({ clusters: [] }),
      says: /contexts\["work"\]\.cluster in \S+ names "c", but the kubeconfig has no such cluster/,
    },
    {
      name: 'a user that does not exist',
      given: aKubeconfig({ users: [] }),
      says: /contexts\["work"\]\.user in \S+ names "jane", but the kubeconfig has no such user/,
    },
    {
      name: 'users that are not a list',
      given: aKubeconfig({ users: 'jane' }),
      says: /users in \S+ is not a list/,
    },
    {
      name: 'a user that is not a map',
      given: aKubeconfig({ users: ['jane'] }),
      says: /users\[0\] in \S+ is not a map/,
    },
    {
      name: 'a cluster without a name',
      given: aKubeconfig({ clusters: [{}, {}] }),
      says: /clusters\[0\] in \S+ is invalid: clusters\[0\]\.name is missing/,
    },
    {
      name: 'a cluster without a server',
      given: aKubeconfig({ cluster: { server: '' } }),
      says: /clusters\[0\]\.cluster\.server is missing/,
    },
    {
      name: 'a server that is a number',
      given: aKubeconfig({ cluster: { server: 6443 } }),
      says: /clusters\[0\]\.cluster\.server in \S+ is not a string/,
    },
    {
      name: 'a server without a scheme',
      given: aKubeconfig({ cluster: { server: '10.0.0.1:6443' } }),
      says: /clusters\["c"\]\.server in \S+ is "10\.0\.0\.1:6443".*https:\/\/HOST:PORT/,
    },
    {
      name: 'a server without TLS',
      given: aKubeconfig({ cluster: { server: 'http://10.0.0.1:8080' } }),
      says: /unencrypted.*https:\/\//,
    },
    {
      name: 'a token that is a number',
      given: aKubeconfig({ user: { token: 7 } }),
      says: /users\["jane"\]\.token in \S+ is not a string/,
    },
    {
      name: 'a proxy',
      given: aKubeconfig({ cluster: { 'proxy-url': 'http://proxy' } }),
      says: /proxy-url.*does not support/,
    },
    {
      name: 'an authentication provider',
      given: aKubeconfig({ user: { 'auth-provider': { name: 'gcp' } } }),
      says: /auth-provider.*exec plugin/,
    },
    {
      name: 'skipped verification together with a certificate authority',
      given: aKubeconfig({
        cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority': 'ca' },
      }),
      says: /contradicts/,
    },
    {
      name: 'an exec plugin without a command',
      given: aKubeconfig({ user: { exec: { ...exec, command: '' } } }),
      says: /users\["jane"\]\.exec\.command in \S+ is empty/,
    },
    {
      name: 'an exec plugin of an old version',
      given: aKubeconfig({
        user: { exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1alpha1' } },
      }),
      says: /exec\.apiVersion.*v1alpha1.*Use client\.authentication\.k8s\.io\/v1 or/,
    },
    {
      name: 'an exec plugin that needs a terminal',
      given: aKubeconfig({ user: { exec: { ...exec, interactiveMode: 'Always' } } }),
      says: /interactiveMode.*has no terminal/,
    },
    {
      name: 'exec arguments that are not a list',
      given: aKubeconfig({ user: { exec: { ...exec, args: '--x' } } }),
      says: /exec\.args in \S+ is not a list/,
    },
  ];
  for (const { name, given, says } of bad) {
    it(`is rejected, with file and field, for ${name}`, () => {
      assert.throws(
        () => select(given),
        (err) => err instanceof CredentialsError && says.test(err.message),
        `not ${says}`,
      );
    });
  }

  it('may use plain HTTP on this machine', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const server = `http://${host}:8001`;
      assert.equal(select(aKubeconfig({ cluster: { server } })).server, server);
    }
  });

  it('is never quoted in errors, because it contains secrets', () => {
    const text = `${aKubeconfig({ user: { token: 'c2VjcmV0' } })}\n  : ]`;
    assert.throws(() => parse(text));
    assert.throws(
      () => select(text),
      (err) => err instanceof CredentialsError && !inspect(err).includes('c2VjcmV0'),
    );
  });
});
