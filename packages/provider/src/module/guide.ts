/** Where people who write a provider find out how; errors about modules point there. */
export const guidePath = 'docs/guides/write-a-provider.md';
