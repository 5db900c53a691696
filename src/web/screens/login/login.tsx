import { useDocumentTitle } from '../../layout/page.tsx';

/** The sign-in page. */
export function LoginScreen() {
  useDocumentTitle('Sign in');
  return (
    <main>
      <h1>Sign in</h1>
      <a href="/auth/login">Sign in with GitHub</a>
    </main>
  );
}
