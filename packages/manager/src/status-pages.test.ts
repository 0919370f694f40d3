import assert from 'node:assert/strict';
import { createLogger, createMetrics, type Logger, virtualClock } from '@tandem/runtime';
import { settingsOf } from './app/app-world.fixture.ts';
import type { Pages } from './serving/index.ts';
import { statusPages } from './status-pages.ts';

const clock = virtualClock();

function aPage(logger: Logger): Pages {
  return statusPages({
    clock,
    logger,
    metrics: createMetrics(),
    settings: settingsOf([]),
    flags: new Map([
      ['secure-port', '10258'],
      ['v', '0'],
    ]),
    checks: { livez: [], readyz: [], healthz: [] },
    runtimeVersion: 'v24',
  });
}

describe('what the secure port shows of the manager', () => {
  it('changes how much is logged, by whom ever, and shows it among the flags', () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(JSON.parse(line).msg);
    const logger = createLogger({ clock, destination: { write } });
    const controller = logger.child({ controller: 'cloud-node' });
    const pages = aPage(logger);
    controller.debug({}, 'Before');
    pages.setVerbosity?.(4);
    controller.debug({}, 'After');
    controller.trace({}, 'Over the wire');
    assert.deepEqual(lines, ['Set how much is logged', 'After']);
    assert.deepEqual(
      [...pages.flagz()],
      [
        ['secure-port', '10258'],
        ['v', '4'],
      ],
    );
    pages.setVerbosity?.(0);
    controller.debug({}, 'Too much');
    assert.deepEqual(lines.slice(2), ['Set how much is logged']);
  });

  it('leaves out what its logger cannot do', () => {
    const logger = createLogger({ clock, destination: { write: () => {} } });
    delete logger.setLevel;
    assert.ok(!('setVerbosity' in aPage(logger)));
  });
});
