export { createManagerLogger } from './manager-logger.ts';
export { formatLine, type LineDestination } from './text-lines.ts';
