import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useDocumentTitle } from '../../layout/page.tsx';

/** The public page: what the product is for and the ways in. */
export function LandingScreen() {
  useDocumentTitle('See where reviews wait');
  return (
    <main
      style={{ display: 'grid', placeItems: 'center', gap: '1.25rem', padding: '6rem 1.5rem', textAlign: 'center' }}
    >
      <h1>See where reviews wait.</h1>
      <p>
        Mergelight reads your team’s pull requests and says whose turn it is, for how long, and whether that is usual
        for you.
      </p>
      <Button component={Link} to="/login">
        Get Started
      </Button>
      <Link to="/login">Connect GitHub</Link>
      <Link to="/dashboard">View Demo</Link>
    </main>
  );
}
