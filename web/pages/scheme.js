// Runs before the first paint, so that the dark scheme does not flash white.
{
  const chosen = localStorage.getItem('parapet-color-scheme') ?? 'auto';
  const isDark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
}
