/** The errors of reading and changing the route table. */
import { CcmError, type Effect } from '@tandem/runtime';

type StaticRouteErrorCode =
  | 'StaticTableRemoved'
  | 'StaticTableNotReadable'
  | 'StaticTableInvalid'
  | 'StaticTableNotWritable'
  | 'StaticTableFull'
  | 'StaticRouteExists'
  | 'StaticRouteMissing'
  | 'StaticRouteRefused';

export class StaticRouteError extends CcmError {
  constructor(
    code: StaticRouteErrorCode,
    message: string,
    { effect = 'none', cause }: { readonly effect?: Effect; readonly cause?: unknown } = {},
  ) {
    super(message, { code, retry: 'backoff', effect, cause });
  }
}
