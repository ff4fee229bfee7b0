package dev.mayfly.mql.function;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Exponentials and logarithms with more digits than a decimal has.
 *
 * <p>Both reduce the argument until a power series needs few terms: exp by halving, which squaring
 * undoes; ln by extracting powers of ten and square roots.
 */
final class DecimalMath {
  private static final MathContext WORK = new MathContext(50, RoundingMode.HALF_EVEN);
  private static final BigDecimal TINY = new BigDecimal("1e-48");
  private static final BigDecimal TWO = BigDecimal.TWO;

  /** Beyond this, exp overflows or underflows a decimal. */
  private static final BigDecimal MAX_EXPONENT = BigDecimal.valueOf(15_000);

  private static final BigDecimal HUGE = new BigDecimal("1e9999");
  private static final BigDecimal LN_TEN = lnByRoots(BigDecimal.TEN);

  private DecimalMath() {}

  static BigDecimal exp(BigDecimal number) {
    if (number.abs().compareTo(MAX_EXPONENT) > 0) {
      return number.signum() > 0 ? HUGE : BigDecimal.ZERO;
    }
    int halvings = Math.max(0, number.precision() - number.scale()) * 4 + 4;
    BigDecimal small = number.divide(TWO.pow(halvings), WORK);
    BigDecimal sum = BigDecimal.ONE;
    BigDecimal term = BigDecimal.ONE;
    MathContext exact = new MathContext(WORK.getPrecision() + halvings / 2, RoundingMode.HALF_EVEN);
    for (int i = 1; term.abs().compareTo(TINY.movePointLeft(halvings / 2)) > 0; i++) {
      term = term.multiply(small).divide(BigDecimal.valueOf(i), exact);
      sum = sum.add(term, exact);
    }
    for (int i = 0; i < halvings; i++) {
      sum = sum.multiply(sum, exact);
    }
    return sum.round(MathContext.DECIMAL128);
  }

  static BigDecimal ln(BigDecimal number) {
    return naturalLog(number).round(MathContext.DECIMAL128);
  }

  static BigDecimal log(BigDecimal number, BigDecimal base) {
    return naturalLog(number).divide(naturalLog(base), WORK).round(MathContext.DECIMAL128);
  }

  static BigDecimal power(BigDecimal base, int exponent) {
    return base.pow(exponent, new MathContext(40, RoundingMode.HALF_EVEN));
  }

  private static BigDecimal naturalLog(BigDecimal number) {
    int tens = number.precision() - number.scale();
    BigDecimal mantissa = number.movePointLeft(tens);
    return lnByRoots(mantissa).add(LN_TEN.multiply(BigDecimal.valueOf(tens)), WORK);
  }

  /** Computes ln for numbers that are neither huge nor tiny. */
  private static BigDecimal lnByRoots(BigDecimal number) {
    BigDecimal root = number;
    BigDecimal factor = TWO;
    for (int i = 0; i < 6; i++) {
      root = root.sqrt(WORK);
      factor = factor.multiply(TWO);
    }
    // ln x = 2 artanh((x - 1) / (x + 1)); the roots have brought x close to 1.
    BigDecimal z = root.subtract(BigDecimal.ONE).divide(root.add(BigDecimal.ONE), WORK);
    BigDecimal square = z.multiply(z, WORK);
    BigDecimal sum = z;
    BigDecimal power = z;
    for (int i = 3; power.abs().compareTo(TINY) > 0; i += 2) {
      power = power.multiply(square, WORK);
      sum = sum.add(power.divide(BigDecimal.valueOf(i), WORK), WORK);
    }
    return sum.multiply(factor, WORK);
  }
}
