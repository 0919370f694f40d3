/**
 * A manager outside a pod that was given no kubeconfig for the secure port: callers with a good token are
 * told what is missing, and so is whoever reads the log. With both flags, the log says when the API server
 * is away and callers cannot be authenticated.
 */
import assert from 'node:assert/strict';
import { useInstallation } from '../manager/installation.ts';
import { aPort, authority, operate, servingFiles } from './operated.ts';
import { SecurePort } from './secure-port.ts';

describe('callers that the manager cannot check', function () {
  this.timeout(60_000);
  const { open, installation } = useInstallation();

  it('are told what is missing where it was started without the flags', async () => {
    await using scenario = await open();
    const number = await aPort();
    const files = await servingFiles(scenario.directory, 'unchecked');
    const manager = await scenario.start({
      flags: [
        '--bind-address=127.0.0.1',
        `--secure-port=${number}`,
        `--tls-cert-file=${files.certFile}`,
        `--tls-private-key-file=${files.keyFile}`,
      ],
    });
    const { level, unchecked, fix } = await manager.says(
      /^Secure port has no API server to ask about callers$/,
    );
    assert.deepEqual([level, unchecked], ['warn', 'tokens and permissions']);
    assert.match(
      String(fix),
      /--authentication-kubeconfig=FILE and --authorization-kubeconfig=FILE/,
    );
    const port = new SecurePort({ port: number, ca: authority.cert, master: {} });
    const { status, text } = await port.ask('/metrics', { token: installation().token });
    assert.equal(status, 403);
    assert.match(
      JSON.parse(text).message,
      /^forbidden: User "system:anonymous" cannot get path "\/metrics": this manager does not check tokens, because it was started without --authentication-kubeconfig and --authorization-kubeconfig$/,
    );
    assert.equal((await port.ask('/livez')).status, 200);
  });

  it('are told of in the log while the API server is away', async () => {
    await using scenario = await open();
    const proxy = await scenario.proxy();
    const { manager, port } = await operate(scenario, { through: proxy });
    assert.ok(!manager.log.some(({ msg }) => /no API server to check/.test(msg)));
    const restore = proxy.interfere({ on: () => true, when: 'before', act: () => 'drop' });
    const { status } = await port.ask('/metrics', { token: 'unseen', limitMs: 30_000 });
    assert.equal(status, 500);
    await manager.says(/^Cannot authenticate callers of the secure port/);
    restore();
  });
});
