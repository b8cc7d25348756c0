package io.swagger.annotations;

/** Documentation only. Debian has no package of it. */
public @interface ApiModelProperty {
    String value() default "";

    String example() default "";

    boolean required() default false;
}
