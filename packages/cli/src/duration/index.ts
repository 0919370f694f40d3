export { goDuration, parseDuration } from './duration.ts';
