import { describe, expect, it } from 'vitest';
import { returnTo } from './return-to.ts';

describe('where a sign-in leads', () => {
  it('is the page that was asked for', () => {
    expect(returnTo('/prs?state=open&page=2')).toBe('/prs?state=open&page=2');
  });

  it('is the dashboard when no page was asked for', () => {
    expect(returnTo(undefined)).toBe('/dashboard');
  });

  it.each(['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', 'prs', ''])(
    'never leaves this site: %s',
    (asked) => {
      expect(returnTo(asked)).toBe('/dashboard');
    },
  );

  it('does not lead back to the sign-in itself', () => {
    expect(returnTo('/login?return_to=/prs')).toBe('/dashboard');
  });
});
