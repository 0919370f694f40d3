/** Flags that upstream once had. Manifests still carry them, and deserve more than "unknown flag". */
import { type AnyFlag, optionalText, refused, type ValueType } from '@tandem/cli/flags';

/** They are refused whatever their value, which may be missing as well. */
const anything: ValueType<string | undefined> = { ...optionalText, bare: '' };

const klog = refused(
  'upstream removed it in 1.26. Remove the flag; log lines go to standard error',
);
const insecure = refused(
  'upstream removed it in 1.24. Use --bind-address and --secure-port, which serve TLS',
);

export const removedFlags: readonly AnyFlag[] = [
  ...[
    'add-dir-header',
    'alsologtostderr',
    'log-backtrace-at',
    'log-dir',
    'log-file',
    'log-file-max-size',
    'logtostderr',
    'one-output',
    'skip-headers',
    'skip-log-headers',
    'stderrthreshold',
  ].map((name) => ({ name, type: anything, support: klog, help: 'Removed upstream.' })),
  ...['address', 'port'].map((name) => ({
    name,
    type: anything,
    support: insecure,
    help: 'Removed upstream.',
  })),
];
