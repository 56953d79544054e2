"""How the section "A sum or mean" computes its bounds and errors."""

EXPLANATION = r"""
Values are clipped to [lo, U], so that one person changes their sum by at most
$\Delta=\max(|lo|,U)$ (a person is added or removed) or $U-lo$ (a person is replaced), and noise for Δ is added.

- **Bias** $B=\sum(\mathrm{clip}(x)-x)$. Of a distribution it is the mean, a closed form: for the lognormal distribution
  $E(X-U)_+=e^{m+s^2/2}\,\Phi\!\left(\frac{m+s^2-\ln U}{s}\right)-U\,\Phi\!\left(\frac{m-\ln U}{s}\right)$ with
  $e^m$ the median and $e^{m+1.2816\,s}$ the 90th percentile; of the normal one the 90th percentile is
  $m+1.2816\,s$.
- **Root mean square error** $\sqrt{B^2+\mathrm{Var}}$; with Laplace noise of scale b the **mean absolute error** is
  $|B|+b\,e^{-|B|/b}$. The **±** is the least a such that the error is within ±a in the stated share of releases.
- **The best bound**, above 0 and above lo, is searched for on successively finer grids and rounded to three digits;
  every number of the answer is computed at the rounded bound. With Laplace noise and lo = 0 the number of values above
  it times |B| is $2U/\varepsilon^2$. Where values are cut on both sides, all that is cut counts,
  $\sum|\mathrm{clip}(x)-x|$: that one side makes up for the other is an accident.
- **Rule of thumb**: the bound that about 1/ε values exceed. Its mean absolute error is at most twice the least one
  (compare Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019, *Bounding user contributions: a bias–variance trade-off in
  differential privacy*, ICML). It is proved for lo = 0 and Laplace noise.
- **A private bound** is a quantile by the exponential mechanism (Smith 2011) between 0 and the maximum of your range,
  with a share of ε; the rest of ε, and δ, buy the noise of the sum. Share and quantile are the best of a grid, and the
  error is the root mean square over the exact distribution of the bound. Means of up to 1,000 groups, small ones at the
  top, represent more values. It is not offered for lo ≠ 0, negative values, noise on the whole numbers, or a counted n.
- **A mean** with public n has the errors of the sum divided by n, and one person is replaced. **With n counted**, a
  share s of ε and δ buys noise for the count, the rest noise for the sum of the distances to the middle of the bounds,
  of sensitivity $(U-lo)/2$. Its errors are right to first order in 1/n; ± and the mean absolute error add up both
  noises, and are upper bounds of that.

The public figures: household incomes in the United States in 2012 have a median of 51,017 dollars and a 90th percentile
of 146,000 dollars (U.S. Census Bureau, P60-245, Table A-2); the trips are a sample of 21,589 trips of New York yellow
cabs in January 2013 and January 2015 (NYC Taxi & Limousine Commission, trip records), with 1.76 and 6.0 miles.

The bias of a distribution is a mean: real data differ. The noise scale and the errors are rounded up. Discrete Gaussian
noise is computed for bounds and values up to 100,000, and with a lower bound that you enter; the half-width as the
error that is least, for any other noise and a lower bound that you enter: the search for others takes too long.
"""
