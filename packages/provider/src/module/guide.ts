/** The guide for authors of providers. Errors about modules name it. */
export const guidePath = 'docs/guides/write-a-provider.md';
